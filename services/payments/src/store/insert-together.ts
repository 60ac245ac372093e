import { batchFailureOf, isUnconfirmedBatch } from '@tollgate/store/batch-failure';
import { inBatches } from '@tollgate/store/in-batches';
import { mongo } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';

/** A payment is below 64 KiB, so that a batch is far below MongoDB's limit of 48 MB for a message. */
const MAX_BATCH = 100;

/** The part of a collection that inserts. */
export interface Inserts {
  insertOne(payment: PaymentDocument): Promise<unknown>;
  insertMany(payments: PaymentDocument[], options: { ordered: false }): Promise<unknown>;
}

/**
 * Inserts a payment together with those that arrive at the same time, in one command, which the store flushes to disk
 * once. Each payment succeeds or fails by itself.
 */
export function insertTogether(collection: Inserts): (payment: PaymentDocument) => Promise<void> {
  const insert = inBatches((payments: PaymentDocument[]) => insertAll(collection, payments), MAX_BATCH);
  return async (payment) => {
    const failure = await insert(payment);
    if (failure !== null) throw failure.error;
  };
}

/** Why a payment was not inserted, or not confirmed. */
type Failure = { error: unknown } | null;

/**
 * Never rejects: a batch that fails must not run again, because the payments of it that were written would then be
 * duplicates of themselves.
 */
async function insertAll(collection: Inserts, payments: PaymentDocument[]): Promise<Failure[]> {
  const [first] = payments;
  if (payments.length === 1 && first) return [await insertAlone(collection, first)];
  try {
    await collection.insertMany(payments, { ordered: false });
    return payments.map(() => null);
  } catch (error) {
    const rejected = rejectedBy(error);
    // Without write errors, nothing says which payments were written.
    if (rejected.length === 0) return payments.map(() => ({ error: batchFailureOf(error) }));
    return Promise.all(
      payments.map((payment, index) => {
        // The driver does not say which index rejected a document of a batch. It does for a document alone.
        if (rejected.includes(index)) return insertAlone(collection, payment);
        return isUnconfirmedBatch(error) ? { error } : null;
      }),
    );
  }
}

/** The payments of the batch that the store has rejected, by their place in it. */
function rejectedBy(error: unknown): number[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) return [];
  return [error.writeErrors].flat().map(({ index }) => index);
}

async function insertAlone(collection: Inserts, payment: PaymentDocument): Promise<Failure> {
  try {
    await collection.insertOne(payment);
    return null;
  } catch (error) {
    return { error };
  }
}
