import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { leaseTimes } from '@tollgate/store/lease';
import type { Context } from '../context.ts';
import type { ChangePosition } from '../store/change-position.ts';
import type { ChangedPayment } from './counted-payments.ts';
import { marksOf } from './marks-of-payment.ts';
import { recomputeDue } from './recompute.ts';
import type { FollowedDocument } from './roll-up-store.ts';

/**
 * A change can appear behind later ones: the clocks of instances differ (by up to 30 s, beyond which an instance rejects requests), and a
 * write takes up to 20 s. Changes are followed once no earlier one can appear.
 */
const SETTLED_AFTER_MS = MINUTE_MS;
const BATCH_SIZE = 1_000;
/** Longer than the rows of a batch take. Two instances that follow repeat each other's work only. */
const LEASE_MS = MINUTE_MS;

export type FollowDeps = Pick<Context, 'rollUps' | 'counted' | 'resets' | 'clock' | 'logger' | 'stopping'>;

/**
 * Marks the roll-ups that changes of payments touch, in the order of the changes, and computes those that are due. One instance at a
 * time does. After a crash, another one repeats at most a batch, which has no effect: rows are computed, never incremented.
 */
export async function rollUpPayments(deps: FollowDeps): Promise<void> {
  const { rollUps, clock } = deps;
  const held = await rollUps.followed.acquire({ _id: 'payments' }, leaseTimes(clock, LEASE_MS), {
    insert: { position: null },
  });
  if (!held) return;
  const followed = await followChanges(deps, held);
  if (!followed) return;
  await recountResets(deps);
  await recomputeDue(deps);
  await rollUps.followed.release(followed, new Date(clock.now()));
}

/** Null when another instance has taken over. */
async function followChanges(deps: FollowDeps, held: FollowedDocument): Promise<FollowedDocument | null> {
  const { rollUps, counted, clock, stopping } = deps;
  let followed: FollowedDocument | null = held;
  while (followed && !stopping.aborted) {
    const until = new Date(clock.now() - SETTLED_AFTER_MS);
    const changed = await counted.changesAfter(followed.position, until, BATCH_SIZE);
    await rollUps.mark((await counted.withSucceededAt(changed)).flatMap(marksOf));
    const position = positionAfter(changed, until, followed.position);
    const update = { $set: { position } };
    followed = await rollUps.followed.renew(followed, leaseTimes(clock, LEASE_MS).until, update);
    if (changed.length < BATCH_SIZE) break;
  }
  return followed;
}

/** The position never moves back, also when another instance with an earlier clock continues. */
function positionAfter(
  changed: readonly ChangedPayment[],
  until: Date,
  before: ChangePosition | null,
): ChangePosition | null {
  const last = changed.at(-1);
  if (changed.length === BATCH_SIZE && last) return { updatedAt: last.updated_at, paymentId: last._id };
  return before && before.updatedAt > until ? before : { updatedAt: until, paymentId: '' };
}

/** A reset deletes payments without a change that could be followed. Once it is over, all of the sandbox is counted again. */
async function recountResets({ rollUps, resets, clock }: FollowDeps): Promise<void> {
  for (const reset of await resets.listUncounted()) {
    await rollUps.markSandbox(reset.team_id, new Date(clock.now()));
    await resets.setCounted(reset);
  }
}
