import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { DELIVERY_INDEXES, type StoredDelivery } from '@tollgate/webhooks/deliveries/delivery';

/** Webhooks would find the copies in its own database, and send them. */
const COPIES_DATABASE = 'benchmark';
/** As many endpoints as the benchmark has, so that entries of the indexes are as far apart. */
const ENDPOINTS = 100;

export interface DeliveryCopies {
  /** Inserts pending copies of a succeeded delivery, and resolves to their ids. */
  insert(count: number): Promise<string[]>;
  /** Records the attempt of each. */
  record(ids: string[]): Promise<void>;
}

/** The least that stores deliveries: the MongoDB driver, in two writes per batch, with the indexes of deliveries. */
export async function openDeliveryCopies(url: string, database: string): Promise<DeliveryCopies> {
  const logger = createLogger({ service: 'tests', level: 'silent' });
  const client = (await connectMongoDB({ url, database, appName: 'tests', logger })).getClient();
  const delivered = await client
    .db(database)
    .collection<StoredDelivery>('deliveries')
    .findOne({ status: 'succeeded' });
  if (delivered === null) throw new Error('Deliver a webhook first.');
  const { attempts, status, ...fields } = delivered;
  const copies = client.db(COPIES_DATABASE).collection<StoredDelivery>('deliveries');
  for (const { key, purpose: _, ...options } of DELIVERY_INDEXES) await copies.createIndex(key, options);
  const endpointIds = Array.from({ length: ENDPOINTS }, () => newId('webhookEndpoint'));
  let inserted = 0;
  return {
    async insert(count) {
      const now = new Date();
      const documents = Array.from({ length: count }, (): StoredDelivery => {
        inserted += 1;
        return {
          ...fields,
          _id: newId('delivery'),
          event_id: newId('event'),
          payment_id: newId('payment'),
          endpoint_id: endpointIds[inserted % ENDPOINTS] as string,
          status: 'pending',
          next_attempt_at: now,
          created_at: now,
          attempts: [],
        };
      });
      await copies.insertMany(documents);
      return documents.map(({ _id }) => _id);
    },
    async record(ids) {
      const update = { $set: { status, next_attempt_at: null }, $push: { attempts: { $each: attempts } } };
      const operations = ids.map((_id) => ({ updateOne: { filter: { _id }, update } }));
      await copies.bulkWrite(operations, { ordered: false });
    },
  };
}
