import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Shared } from '../context.ts';
import type { UnplacedEvent } from './feed-store.ts';

const BATCH_SIZE = 500;
/** Far longer than one batch takes. A batch that takes longer could give places behind those that readers have passed. */
const LEASE_MS = 60 * SECOND_MS;
/**
 * How long an event waits for the one before it, of the same payment, which may be on its way. After that, it is
 * taken to be lost, or to have expired.
 */
const WAITS_FOR_PREDECESSOR_MS = 5 * MINUTE_MS;

type PlacingDeps = Pick<Shared, 'feed' | 'holder' | 'clock'>;

/** Gives stored events their places. Within this instance, one run follows the other: the lease does not separate them. */
export function createPlacer(deps: PlacingDeps): () => Promise<void> {
  let running = Promise.resolve();
  return () => {
    running = running.catch(() => undefined).then(() => placeEvents(deps));
    return running;
  };
}

/**
 * Gives every stored event its place in the feed. Ids of events do not suffice: an event can arrive after a younger one that a
 * reader has passed. Places rise in the order in which they are given, and follow the versions of each payment.
 */
async function placeEvents({ feed, holder, clock }: PlacingDeps): Promise<void> {
  let after = '';
  for (;;) {
    const unplaced = await feed.listUnplaced(after, BATCH_SIZE);
    const last = unplaced.at(-1);
    if (!last) return;
    after = last._id;
    const nowMs = clock.now();
    if (!(await feed.lease(holder, new Date(nowMs), new Date(nowMs + LEASE_MS)))) return;
    const ready = inOrder(unplaced, await feed.listPlacedVersions(unplaced.filter(hasPredecessor)), nowMs);
    if (ready.length === 0) continue;
    const first = await feed.reserve(holder, ready.length);
    if (first === null) return;
    await feed.place(ready, first);
  }
}

/** The payment of a test event does not exist. */
const hasPredecessor = ({ is_test, payment_version }: UnplacedEvent) => !is_test && payment_version > 1;

/**
 * The events that may be placed, each after the one before it of its payment.
 *
 * @param placed `<payment id>/<version>` of events that have a place
 */
export function inOrder(
  events: readonly UnplacedEvent[],
  placed: Set<string>,
  nowMs: number,
): UnplacedEvent[] {
  const ordered: UnplacedEvent[] = [];
  const waiting = new Map<string, UnplacedEvent>();

  function isReady(event: UnplacedEvent): boolean {
    return (
      !hasPredecessor(event) ||
      placed.has(`${event.payment_id}/${event.payment_version - 1}`) ||
      event.last_queued_at.getTime() <= nowMs - WAITS_FOR_PREDECESSOR_MS
    );
  }

  function add(event: UnplacedEvent): void {
    for (let next: UnplacedEvent | undefined = event; next; ) {
      ordered.push(next);
      const { payment_id, payment_version }: UnplacedEvent = next;
      placed.add(`${payment_id}/${payment_version}`);
      const successor = `${payment_id}/${payment_version + 1}`;
      next = waiting.get(successor);
      waiting.delete(successor);
    }
  }

  for (const event of events) {
    if (isReady(event)) add(event);
    else waiting.set(`${event.payment_id}/${event.payment_version}`, event);
  }
  return ordered;
}
