import { newId } from '@tollgate/contracts/platform/ids';
import { PAYMENT_INDEXES } from '@tollgate/payments/store/payment-indexes';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';

/** Payments would find the copies in its own database, and publish them. */
const COPIES_DATABASE = 'benchmark';

export interface PaymentCopies {
  /** Inserts a copy of a stored payment with new ids, and resolves to it. */
  insert(): Promise<object>;
  close(): Promise<void>;
}

/**
 * The least that stores payments: the MongoDB driver, with the durability that services ask for. The collection has the
 * indexes of payments. The outbox is the history in the payment, so that one insert writes both.
 */
export async function openPaymentCopies(url: string, database: string): Promise<PaymentCopies> {
  const logger = createLogger({ service: 'tests', level: 'silent' });
  const connection = await connectMongoDB({ url, database, appName: 'tests', logger });
  /** The driver itself, without mongoose. */
  const client = connection.getClient();
  const payment = await client.db(database).collection('payments').findOne();
  if (payment === null) throw new Error('Create a payment first.');
  const { create_key, history, ...fields } = payment;
  const copies = client.db(COPIES_DATABASE).collection<{ _id: string }>('payments');
  for (const { key, purpose: _, ...options } of PAYMENT_INDEXES) await copies.createIndex(key, options);
  return {
    async insert() {
      const copy = {
        ...fields,
        _id: newId('payment'),
        create_key: { ...create_key, key: newId('request') },
        history: [{ ...history[0], event_id: newId('event') }],
      };
      await copies.insertOne(copy);
      return copy;
    },
    close: () => connection.close(),
  };
}
