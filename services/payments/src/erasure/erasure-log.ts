import type { Bus } from '@tollgate/bus/connection';
import { type Bucket, BucketMissing, openBucket, RevisionConflict } from '@tollgate/bus/kv';
import { ERASURE_PROGRESS_COLLECTION, type ErasureProgressDocument } from '@tollgate/contracts/audit/restore';
import { ERASURES_BUCKET } from '@tollgate/contracts/platform/streams';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Connection } from 'mongoose';
import { erasureOf, type PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import type { VerifiedPayments } from '../seals/verified-payments.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { erasureRecord, readErasureRecord } from './erasure-record.ts';

interface ErasureLogDeps {
  bus: Bus;
  connection: Connection;
  store: PaymentStore;
  seals: HistorySeals;
  verified: VerifiedPayments;
  outbox: PaymentOutbox;
  clock: Clock;
  logger: Logger;
}

/** Records erasures in a bucket, which a restore of the database leaves as it is. */
export function createErasureLog(deps: ErasureLogDeps) {
  const { bus, connection, store, seals, clock } = deps;
  const collection = connection.collection<ErasureProgressDocument>(ERASURE_PROGRESS_COLLECTION);

  return {
    /** Stores the record of an erasure outside of the database. Repeating it changes nothing. */
    async record(payment: PaymentDocument): Promise<void> {
      const entry = erasureOf(payment);
      if (!entry) throw new Error(`The payment ${payment._id} is not erased.`);
      const bucket = await openBucket(bus, ERASURES_BUCKET, { create: true });
      await bucket.create(payment._id, erasureRecord(payment, entry, seals)).catch((error: unknown) => {
        if (!(error instanceof RevisionConflict)) throw error;
      });
    },

    /** Erases again the payments that a restored backup contained. */
    async apply(): Promise<void> {
      if (!bus.isConnected()) return;
      const progress = await collection.findOne({ _id: 'erasures' });
      const { bucket, createdAt } = await openExisting(bus);
      const isSame = progress?.created_at === createdAt;
      if (progress && !isSame) await store.purgeErasedAgain(new Date(clock.now()));
      if (bucket === null) return;
      const from = isSame ? progress.revision : 0;
      const revision = await applyAfter(deps, bucket, from);
      if (isSame && revision === from) return;
      await collection.updateOne(
        { _id: 'erasures' },
        { $set: { created_at: createdAt, revision } },
        { upsert: true },
      );
    },
  };
}

/** The bucket is created with the first record. */
async function openExisting(bus: Bus): Promise<{ bucket: Bucket | null; createdAt: string }> {
  try {
    const bucket = await openBucket(bus, ERASURES_BUCKET, { create: false });
    return { bucket, createdAt: await bucket.createdAt() };
  } catch (error) {
    if (error instanceof BucketMissing) return { bucket: null, createdAt: '' };
    throw error;
  }
}

/** Resolves to the last revision up to which every record is applied. */
async function applyAfter(deps: ErasureLogDeps, bucket: Bucket, from: number): Promise<number> {
  let last = from;
  let isComplete = true;
  for await (const { value, revision } of bucket.readAfter(from)) {
    isComplete = (await eraseAgain(deps, value)) && isComplete;
    if (isComplete) last = revision;
  }
  return last;
}

/** Resolves to whether nothing is left to do. A payment that was open in the backup is erased once it has ended again. */
async function eraseAgain(
  { store, seals, verified, outbox, clock, logger }: ErasureLogDeps,
  value: unknown,
): Promise<boolean> {
  const record = readErasureRecord(value, seals);
  if (record === null) {
    logger.error('ignored a record of an erasure that this service did not write');
    return true;
  }
  const { owner, erasure } = record;
  const payment = await store.findOfTeam(owner.team_id, owner._id);
  if (!payment || erasureOf(payment)) return true;
  if (!isFinal(payment.status)) return false;
  if (!verified.isVerified(payment)) return true;
  const { cause, request_id: requestId } = erasure;
  const erased = await store.erase(payment, { at: new Date(clock.now()), cause, requestId });
  if (!erased) return false;
  logger.info({ payment_id: owner._id }, 'erased a payment again that a restored backup contained');
  outbox.enqueueLatest(erased);
  return true;
}
