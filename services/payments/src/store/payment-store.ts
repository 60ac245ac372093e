import type { Connection } from 'mongoose';
import type { HistorySeals } from '../seals/history-seal.ts';
import { erasureQueries } from './erasure-queries.ts';
import { outboxQueries } from './outbox-queries.ts';
import { openPaymentCollections } from './payment-collections.ts';
import { paymentReads } from './payment-reads.ts';
import { paymentWrites } from './payment-writes.ts';
import { settlementQueries } from './settlement-queries.ts';

export type PaymentStore = ReturnType<typeof createPaymentStore>;

/**
 * The queries of the `payments` collection. The only others are in history/history-store.ts, for lists, in totals/counted-payments.ts, for totals, and in
 * sandbox-reset/sandbox-payments.ts, which deletes.
 */
export function createPaymentStore(connection: Connection, seals: HistorySeals) {
  const collections = openPaymentCollections(connection);
  return {
    ...paymentReads(collections),
    ...paymentWrites(collections, seals),
    ...settlementQueries(collections),
    ...outboxQueries(collections),
    ...erasureQueries(collections, seals),
  };
}
