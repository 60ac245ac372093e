import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { HISTORY_INDEXES, type HistoryIndex, historyKey } from './history-indexes.ts';

/** Name of the index of payments with unpublished events. */
export const UNPUBLISHED_INDEX = 'unpublished';
/** Name of the index of payments whose data is not erased. */
export const RETENTION_INDEX = 'retention';
/** A payment that is not erased does not have the field. */
export const NOT_ERASED: Record<string, null> = { erased_at: null };

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
  const { name, paths, time } = index;
  const by = paths.map((path) => `\`${path}\``).join(' and ');
  return {
    key: historyKey(index),
    name,
    ...(time && { partialFilterExpression: { [time]: { $exists: true } } }),
    purpose: `Lists and sums of a team's payments${by === '' ? '' : ` by ${by}`}${time ? ` by \`${time}\`` : ''}`,
  };
}
