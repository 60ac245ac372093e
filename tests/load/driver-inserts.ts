import { newId } from '@tollgate/contracts/ids';
import { PAYMENT_INDEXES } from '@tollgate/payments/store/payment-schema';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';

/**
 * The least that creates payments: the MongoDB driver, in a process of its own, with the durability that services ask
 * for. It inserts copies of one stored payment with new ids into a collection with the same indexes. The outbox is the
 * history in the payment, so that one insert writes both.
 *
 * Usage: fork(driver-inserts.ts, [MongoDB URL, database of the stored payment])
 */
const [url = '', database = ''] = process.argv.slice(2);
/** Payments would find the copies in its own database, and publish them. */
const COPIES_DATABASE = 'benchmark';

export interface InsertRun {
  concurrency: number;
  seconds: number;
}

const logger = createLogger({ service: 'tests', level: 'silent' });
const connection = await connectMongoDB({ url, database, appName: 'tests', logger });
/** The driver itself, without mongoose. */
const client = connection.getClient();
const payment = await client.db(database).collection('payments').findOne();
if (payment === null) throw new Error('Create a payment first.');
const { create_key, history, ...fields } = payment;
const copies = client.db(COPIES_DATABASE).collection<{ _id: string }>('payments');
for (const { key, purpose: _, ...options } of PAYMENT_INDEXES) await copies.createIndex(key, options);
process.on('message', async ({ concurrency, seconds }: InsertRun) => {
  const endsAtMs = performance.now() + seconds * 1000;
  const inserted = await Promise.all(Array.from({ length: concurrency }, () => insertUntil(endsAtMs)));
  process.send?.(inserted.reduce((sum, count) => sum + count));
});
process.on('disconnect', () => void connection.close());
process.send?.('ready');

async function insertUntil(endsAtMs: number): Promise<number> {
  let inserted = 0;
  for (; performance.now() < endsAtMs; inserted += 1) await copies.insertOne(newCopy());
  return inserted;
}

function newCopy() {
  return {
    ...fields,
    _id: newId('payment'),
    create_key: { ...create_key, key: newId('request') },
    history: [{ ...history[0], event_id: newId('event') }],
  };
}
