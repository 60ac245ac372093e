import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/events';
import { CANCELLATION_REASONS, PAYMENT_STATUSES } from '@tollgate/contracts/payment';
import { Schema } from 'mongoose';
import { HISTORY_INDEXES, historyKey } from './history-indexes.ts';

/** Name of the index of payments with unpublished events. */
export const UNPUBLISHED_INDEX = 'unpublished';

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
    history: [historyEntry],
    processor_calls: { type: [processorCall], default: undefined },
    purge_due_at: Date,
  },
  { versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
);

/** Every unique index starts with the shard key. */
for (const key of ['create_key.key', 'cancel_key.key']) {
  paymentSchema.index(
    { application_id: 1, environment: 1, [key]: 1 },
    { unique: true, partialFilterExpression: { [key]: { $exists: true } } },
  );
}
/** For background sweeps over all applications: each index holds only the payments that still need the work. */
const IS_DUE = { partialFilterExpression: { 'settlement.due_at': { $exists: true } } };
paymentSchema.index({ 'settlement.processor': 1, 'settlement.due_at': 1 }, IS_DUE);
/** For workers of the previous release, during an upgrade. */
paymentSchema.index({ 'settlement.due_at': 1 }, IS_DUE);
paymentSchema.index({ expires_at: 1 }, { partialFilterExpression: { status: 'pending' } });
paymentSchema.index(
  { updated_at: 1 },
  { name: UNPUBLISHED_INDEX, partialFilterExpression: { 'history.published_at': null } },
);
paymentSchema.index({ purge_due_at: 1 }, { partialFilterExpression: { purge_due_at: { $exists: true } } });
paymentSchema.index({ updated_at: 1, _id: 1 });
for (const index of Object.values(HISTORY_INDEXES)) {
  const { name, path, isPartial } = index;
  paymentSchema.index(historyKey(index), {
    name,
    // Only non-empty strings. The condition uses `$gt` because mongod does not infer `$type` from an equality.
    ...(isPartial && { partialFilterExpression: { [path]: { $gt: '' } } }),
  });
}
