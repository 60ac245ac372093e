import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { eventsSince } from '@tollgate/contracts/payments/rpc';
import type { Call } from '@tollgate/launcher/first-run/member-session';

/**
 * Every event of every payment that has changed since a time, as stored by payments: the source of truth, independent
 * of NATS.
 */
export async function storedEvents(call: Call, since: string): Promise<PaymentEvent[]> {
  const events: PaymentEvent[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await call(eventsSince, { since, limit: 200, ...(cursor ? { cursor } : {}) });
    events.push(...(page.events as PaymentEvent[]));
    cursor = page.next_cursor;
  }
  return events;
}
