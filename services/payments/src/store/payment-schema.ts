import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { CANCELLATION_REASONS, PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { Schema } from 'mongoose';
import { HISTORY_INDEXES, type HistoryIndex, historyKey } from './history-indexes.ts';

/** Name of the index of payments with unpublished events. */
export const UNPUBLISHED_INDEX = 'unpublished';
/** Name of the index of payments whose data is not erased. */
export const RETENTION_INDEX = 'retention';
/** A payment that is not erased does not have the field. */
export const NOT_ERASED: Record<string, null> = { erased_at: null };

const nested = { _id: false } as const;
const party = new Schema({ name: String, account: String, email: String }, nested);
const failure = new Schema({ code: String, message: String }, nested);
const boundKey = new Schema({ key: String, fingerprint: String }, nested);
const cause = new Schema({ type: { type: String }, id: String, address: String }, nested);

const historyEntry = new Schema(
  {
    event_id: String,
    type: { type: String, enum: PAYMENT_EVENT_TYPES },
    is_erasure: Boolean,
    version: Number,
    occurred_at: Date,
    cause,
    request_id: String,
    published_at: Date,
    next_action: new Schema({ type: { type: String }, url: String }, nested),
    processor_reference: String,
    traceparent: String,
    seal: String,
  },
  nested,
);

const settlement = new Schema(
  {
    processor: String,
    due_at: Date,
    fence: Number,
    started_at: Date,
    calls: Number,
    decision: new Schema(
      { outcome: new Schema({ status: String, failure }, nested), cause, request_id: String },
      nested,
    ),
    decision_seal: String,
  },
  nested,
);

const processorCall = new Schema(
  { at: Date, call: String, duration_ms: Number, status: String, error: String },
  nested,
);

const reversal = new Schema({ at: Date, type: { type: String }, amount: Number, currency: String }, nested);

/** Writes and filters that name unknown fields are rejected. */
export const paymentSchema = new Schema(
  {
    _id: String,
    team_id: String,
    application_id: String,
    environment: String,
    amount: Number,
    currency: String,
    purpose: String,
    reference: String,
    payer: party,
    payee: party,
    payment_method: String,
    return_url: String,
    metadata: [new Schema({ key: String, value: String }, nested)],
    status: { type: String, enum: PAYMENT_STATUSES },
    version: Number,
    failure,
    cancellation_reason: { type: String, enum: CANCELLATION_REASONS },
    created_at: Date,
    updated_at: Date,
    expires_at: Date,
    settlement,
    create_key: boundKey,
    cancel_key: boundKey,
    search_keys: [String],
    history: [historyEntry],
    processor_calls: { type: [processorCall], default: undefined },
    reversals: { type: [reversal], default: undefined },
    purge_due_at: Date,
    erased_at: Date,
    purged_at: Date,
  },
  { versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
);

const IS_DUE = { 'settlement.due_at': { $exists: true } };

/** Every unique index starts with the shard key. Indexes for background work contain only the payments that still need it. */
export const PAYMENT_INDEXES: readonly IndexDeclaration[] = [
  uniqueKey('create_key.key', 'A creation with an idempotency key creates one payment'),
  uniqueKey('cancel_key.key', 'A cancellation with an idempotency key cancels once'),
  {
    key: { 'settlement.processor': 1, 'settlement.due_at': 1 },
    partialFilterExpression: IS_DUE,
    purpose: 'Workers: due payments of a processor',
  },
  {
    key: { expires_at: 1 },
    partialFilterExpression: { status: 'pending' },
    purpose: 'Expiry of pending payments',
  },
  {
    key: { updated_at: 1 },
    name: UNPUBLISHED_INDEX,
    partialFilterExpression: { 'history.published_at': null },
    purpose: 'The outbox: payments with unpublished events',
  },
  {
    key: { purge_due_at: 1 },
    partialFilterExpression: { purge_due_at: { $exists: true } },
    purpose: 'Erasure: payments whose stored messages are not erased yet',
  },
  {
    key: { team_id: 1, updated_at: 1, _id: 1 },
    name: RETENTION_INDEX,
    partialFilterExpression: NOT_ERASED,
    purpose: 'Retention: payments of a team whose data is not erased, by time of change',
  },
  { key: { updated_at: 1, _id: 1 }, purpose: 'Reconciliation: changes of all teams since a time' },
  ...Object.values(HISTORY_INDEXES).map(historyIndex),
];

function uniqueKey(path: string, purpose: string): IndexDeclaration {
  return {
    key: { application_id: 1, environment: 1, [path]: 1 },
    unique: true,
    partialFilterExpression: { [path]: { $exists: true } },
    purpose,
  };
}

function historyIndex(index: HistoryIndex): IndexDeclaration {
  const { name, paths } = index;
  const by = paths.map((path) => `\`${path}\``).join(' and ');
  return {
    key: historyKey(index),
    name,
    purpose: `Lists and sums of a team's payments${by === '' ? '' : ` by ${by}`}`,
  };
}
