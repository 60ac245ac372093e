import { eraseMessages } from '@tollgate/bus/erase-messages';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { StreamName } from '@tollgate/contracts/platform/streams';
import type { Context } from '../context.ts';

const PAYMENTS_AT_ONCE = 1_000;
const STREAMS: readonly StreamName[] = ['EVENTS', 'DEAD_LETTERS'];
/** By then, a message in flight during the first purge is stored. */
const REPEAT_AFTER_MS = 10 * MINUTE_MS;

/**
 * Records new erasures, and deletes the messages that carry data of erased payments: streams keep messages for days. Consumers that have not read
 * them get the events from payments, without the data. One read of the streams serves all payments that are due. A purge that is stopped
 * begins again at the next start.
 */
export async function purgeStreams(context: Context): Promise<void> {
  const { store, erasures, bus, clock, stopping } = context;
  if (!bus.isConnected()) return;
  const due = await store.findPurgeDue(new Date(clock.now()), PAYMENTS_AT_ONCE);
  if (due.length === 0) return;
  for (const payment of due) await erasures.record(payment);
  const paymentIds = new Set(due.map(({ _id }) => _id));
  for (const stream of STREAMS) {
    await eraseMessages(bus, stream, (body) => hasDataOf(paymentIds, body), stopping);
  }
  if (stopping.aborted) return;
  const purgedAt = new Date(clock.now());
  const dueAt = new Date(purgedAt.getTime() + REPEAT_AFTER_MS);
  for (const payment of due) {
    if (payment.purged_at) await store.endPurge(payment);
    else await store.repeatPurge(payment, { purgedAt, dueAt });
  }
}

/** Whether the message is an event of one of these payments from before its erasure. */
function hasDataOf(paymentIds: ReadonlySet<string>, body: string): boolean {
  // Streams hold hundreds of thousands of messages, few of them about erased payments. So most are not parsed.
  const paymentId = /"data":\{"id":"(\w+)"/.exec(body)?.[1];
  if (paymentId === undefined || !paymentIds.has(paymentId)) return false;
  return JSON.parse(body).data.erased_at === null;
}
