import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { searchKeysOf } from '../lifecycle/search-keys.ts';
import { batchesOf } from '../store/batches.ts';

const READ_AT_ONCE = 200;

/** Writes the search keys that this release derives from each payment. Safe to repeat, and beside running instances. */
export async function refillSearchKeys(
  connection: Connection,
): Promise<{ payments: number; refilled: number }> {
  const collection = connection.collection<PaymentDocument>('payments');
  const projection = {
    application_id: 1,
    version: 1,
    search_keys: 1,
    reference: 1,
    purpose: 1,
    payer: 1,
    metadata: 1,
  } as const;
  const all = collection.find<PaymentDocument>({}, { sort: { _id: 1 }, batchSize: READ_AT_ONCE, projection });
  const result = { payments: 0, refilled: 0 };
  for await (const batch of batchesOf(all, READ_AT_ONCE)) {
    result.payments += batch.length;
    const changed = batch
      .map((payment) => ({ ...payment, refilled: searchKeysOf(payment) }))
      .filter(({ search_keys, refilled }) => search_keys.join('\n') !== refilled.join('\n'));
    if (changed.length === 0) continue;
    const { modifiedCount } = await collection.bulkWrite(
      changed.map(({ application_id, _id, version, refilled }) => ({
        // An erasure since the read has raised the version, and its keys must stay removed.
        updateOne: {
          filter: { application_id, _id, version },
          update: { $set: { search_keys: refilled } },
        },
      })),
      { ordered: false },
    );
    result.refilled += modifiedCount;
  }
  return result;
}
