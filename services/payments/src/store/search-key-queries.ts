import type { PaymentDocument } from '../lifecycle/payment.ts';
import { searchKeysOf } from '../lifecycle/search-keys.ts';
import type { PaymentCollections } from './payment-collections.ts';
import { ownerOf } from './payment-owner.ts';
import { WITHOUT_SEARCH_KEYS, WITHOUT_SEARCH_KEYS_INDEX } from './payment-schema.ts';

/** Payments of releases that stored no search keys. */
export function searchKeyQueries({ collection }: PaymentCollections) {
  return {
    /**
     * For background work over all applications: adds search keys to payments of a release that stored none, unless they
     * change meanwhile. Resolves to the number of payments that had none.
     */
    async addSearchKeys(limit: number): Promise<number> {
      const payments = await collection
        .find(WITHOUT_SEARCH_KEYS, { hint: WITHOUT_SEARCH_KEYS_INDEX, limit })
        .project<PaymentDocument>({ history: 0, metadata: 0, processor_calls: 0 })
        .toArray();
      if (payments.length === 0) return 0;
      await collection.bulkWrite(
        payments.map((payment) => ({
          updateOne: {
            filter: {
              ...ownerOf(payment),
              _id: payment._id,
              version: payment.version,
              ...WITHOUT_SEARCH_KEYS,
            },
            update: { $set: { search_keys: searchKeysOf(payment) } },
          },
        })),
        { ordered: false },
      );
      return payments.length;
    },
  };
}
