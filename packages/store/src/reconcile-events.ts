import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import { leaseTimes } from './lease.ts';
import type { ReconciliationDocument, ReconciliationStore } from './reconciliation-store.ts';

/**
 * An event can appear with a time that is already reconciled: the clocks of payments instances differ (by up to 30 s, beyond which
 * an instance rejects requests from gateways), and a write takes up to 20 s.
 */
export const OVERLAP_MS = MINUTE_MS;
/** From the end of a run, on any instance, to the next one. */
export const INTERVAL_MS = MINUTE_MS;
/** A run that has not completed a page for this long has died: reading a page takes up to 5 s, then it is processed. */
const RUN_MS = 10_000;

export interface Reconciliation {
  reconciliations: ReconciliationStore;
  /** A page of events since that time, oldest change first, as `rpc.payments.events_since` returns it. */
  eventsSince(request: {
    since: string;
    cursor?: string;
  }): Promise<{ events: PaymentEvent[]; next_cursor: string | null }>;
  /** Processes the events of a page that were never received as messages, and resolves to their number. */
  takeMissing(events: PaymentEvent[]): Promise<number>;
  /** Where the very first run starts. */
  firstSince: Date;
  clock: Clock;
}

/**
 * Reads the events of payments and processes those that were never received as messages. Resolves to their number, or null when
 * another instance is reconciling or no run is due. The first run after a start or a reconnect `isUrgent` and does not wait until it
 * is due, because NATS redelivers the messages of a dead instance only after half a minute.
 */
export async function reconcileEvents(
  reconciliation: Reconciliation,
  { isUrgent }: { isUrgent: boolean },
): Promise<number | null> {
  const { reconciliations, clock } = reconciliation;
  const { now, until } = leaseTimes(clock, RUN_MS);
  const progress = await reconciliations.acquire(
    { _id: 'payments', ...(!isUrgent && { due_at: { $lte: now } }) },
    { now, until },
    { insert: { reconciled_until: null, due_at: now } },
  );
  return progress && goThrough(reconciliation, progress);
}

async function goThrough(
  { reconciliations, eventsSince, takeMissing, firstSince, clock }: Reconciliation,
  progress: ReconciliationDocument,
): Promise<number> {
  const sinceMs = progress.reconciled_until
    ? progress.reconciled_until.getTime() - OVERLAP_MS
    : firstSince.getTime();
  const since = new Date(sinceMs).toISOString();
  let held: ReconciliationDocument | null = progress;
  let found = 0;
  let cursor: string | null = null;
  try {
    do {
      const page = await eventsSince({ since, ...(cursor !== null && { cursor }) });
      found += await takeMissing(page.events);
      const reconciledUntil = latestChange(page.events, clock.now());
      const advance = reconciledUntil ? { $max: { reconciled_until: reconciledUntil } } : {};
      held = await reconciliations.renew(held, new Date(clock.now() + RUN_MS), advance);
      cursor = page.next_cursor;
      // Another instance reads the rest. It must not begin where this one did: pages that take too long would never be passed.
      if (!held && reconciledUntil) await reconciliations.advance(reconciledUntil);
    } while (cursor !== null && held);
    return found;
  } finally {
    const dueAt = new Date(clock.now() + INTERVAL_MS);
    if (held) await reconciliations.release(held, new Date(clock.now()), { $set: { due_at: dueAt } });
  }
}

/** On payments' clock, which orders the pages. A future time from one wrong clock must not hide later events. */
function latestChange(events: PaymentEvent[], nowMs: number): Date | null {
  if (events.length === 0) return null;
  return new Date(Math.min(nowMs, Math.max(...events.map((event) => Date.parse(event.occurred_at)))));
}
