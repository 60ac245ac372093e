import type { Bus } from '@tollgate/bus/connection';
import { eraseMessages } from '@tollgate/bus/erase-messages';
import { MINUTE_MS } from '@tollgate/contracts/durations';
import type { StreamName } from '@tollgate/contracts/streams';
import type { Clock } from '@tollgate/runtime/clock';
import { erasureOf } from '../lifecycle/payment.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import type { ErasureLog } from './erasure-log.ts';

const PAYMENTS_AT_ONCE = 1_000;
const STREAMS: readonly StreamName[] = ['EVENTS', 'DEAD_LETTERS'];
/** By then, a message in flight during the first purge is stored. */
const REPEAT_AFTER_MS = 10 * MINUTE_MS;

/**
 * Records new erasures, and deletes the messages that carry data of erased payments: streams keep messages for days. Consumers that have not read
 * them get the events from payments, without the data. One read of the streams serves all payments that are due.
 */
export async function purgeStreams({
  store,
  erasures,
  bus,
  clock,
}: {
  store: PaymentStore;
  erasures: Pick<ErasureLog, 'record'>;
  bus: Bus;
  clock: Clock;
}): Promise<void> {
  if (!bus.isConnected()) return;
  const now = clock.now();
  const due = await store.findPurgeDue(new Date(now), PAYMENTS_AT_ONCE);
  if (due.length === 0) return;
  for (const payment of due) await erasures.record(payment);
  const paymentIds = new Set(due.map(({ _id }) => _id));
  for (const stream of STREAMS) await eraseMessages(bus, stream, (body) => hasDataOf(paymentIds, body));
  for (const payment of due) {
    const repeatAt = (erasureOf(payment)?.occurred_at.getTime() ?? 0) + REPEAT_AFTER_MS;
    await store.setPurgeDue(payment, repeatAt > now ? new Date(repeatAt) : null);
  }
}

/** Whether the message is an event of one of these payments from before its erasure. */
function hasDataOf(paymentIds: ReadonlySet<string>, body: string): boolean {
  // Streams hold hundreds of thousands of messages, few of them about erased payments. So most are not parsed.
  const paymentId = /"data":\{"id":"(\w+)"/.exec(body)?.[1];
  if (paymentId === undefined || !paymentIds.has(paymentId)) return false;
  // Absent in an event of an earlier release.
  return (JSON.parse(body).data.erased_at ?? null) === null;
}
