import type { PaymentDocument } from '../lifecycle/payment.ts';

/**
 * Reads each payment once. One that the work leaves as it is, such as a payment that fails verification, must not be found
 * again and again in place of the others.
 */
export async function* batchesOf(
  payments: AsyncIterable<PaymentDocument>,
  batchSize: number,
): AsyncGenerator<PaymentDocument[]> {
  let batch: PaymentDocument[] = [];
  for await (const payment of payments) {
    batch.push(payment);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
