import { MINUTE_MS } from '@tollgate/contracts/durations';
import type { PaymentEvent } from '@tollgate/contracts/events';
import type { Clock } from '@tollgate/runtime/clock';
import type { ReconciliationStore } from './reconciliation-store.ts';

/**
 * Clocks of payments instances differ (more than 30 s apart, gateways are rejected) and a write takes up to 20 s, so an event can appear
 * with a time that has been gone through already.
 */
export const OVERLAP_MS = MINUTE_MS;
/** From the end of a run of any instance to the next. */
export const INTERVAL_MS = MINUTE_MS;
/** A run that has not got through a page for so long is one that died: a page is asked for within 5 s, then dealt with. */
const RUN_MS = 10_000;

export interface Reconciliation {
  reconciliations: ReconciliationStore;
  /** A page of events since then, oldest change first, as `rpc.payments.events_since` returns it. */
  eventsSince(request: {
    since: string;
    cursor?: string;
  }): Promise<{ events: PaymentEvent[]; next_cursor: string | null }>;
  /** Deals with those of a page that no message brought; resolves to how many they were. */
  takeMissing(events: PaymentEvent[]): Promise<number>;
  /** What the first run of all begins with. */
  firstSince: Date;
  clock: Clock;
}

/**
 * Goes through what payments has of its events, for what no message brought; resolves to how many that were, or null when another
 * instance is at it or no run is due. Messages that a dead instance held come again after half a minute only, so a start does not wait
 * until one is due.
 */
export async function reconcileEvents(
  reconciliation: Reconciliation,
  { isUrgent }: { isUrgent: boolean },
): Promise<number | null> {
  const { reconciliations, clock } = reconciliation;
  const claim = await reconciliations.claim({
    now: new Date(clock.now()),
    until: new Date(clock.now() + RUN_MS),
    isUrgent,
  });
  if (!claim) return null;
  try {
    return await goThrough(reconciliation, claim.reconciledUntil);
  } finally {
    await reconciliations.release(new Date(clock.now()), new Date(clock.now() + INTERVAL_MS));
  }
}

async function goThrough(reconciliation: Reconciliation, reconciledUntil: Date | null): Promise<number> {
  const { reconciliations, clock } = reconciliation;
  const sinceMs = reconciledUntil
    ? reconciledUntil.getTime() - OVERLAP_MS
    : reconciliation.firstSince.getTime();
  const since = new Date(sinceMs).toISOString();
  let found = 0;
  let cursor: string | null = null;
  do {
    const page = await reconciliation.eventsSince({ since, ...(cursor !== null && { cursor }) });
    found += await reconciliation.takeMissing(page.events);
    const until = latestChange(page.events, clock.now());
    await reconciliations.advance(until, new Date(clock.now() + RUN_MS));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** On payments' clock, by which the pages are ordered; but no future that one wrong clock invented may hide what comes. */
function latestChange(events: PaymentEvent[], nowMs: number): Date | null {
  if (events.length === 0) return null;
  return new Date(Math.min(nowMs, Math.max(...events.map((event) => Date.parse(event.occurred_at)))));
}
