import {
  ERASURE_PROGRESS_COLLECTION,
  NO_ERASURES_APPLIED,
  RESTORES_COLLECTION,
  type RestoreDocument,
} from '@tollgate/contracts/audit/restore';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import type { MongoClient } from 'mongodb';
import { UsageError } from '../command.ts';

/** @throws UsageError for a server without an audit log, which is not the one that was restored */
export async function requireAuditData(client: MongoClient): Promise<void> {
  if ((await client.db(DATABASES.audit).collection('logs').findOne({})) !== null) return;
  throw new UsageError(
    `The server in MONGODB_URL has no audit log in ${DATABASES.audit}. Restore all six databases of Tollgate first.`,
  );
}

export interface DeclaredRestore {
  at: Date;
  /** How many sessions were ended. */
  sessions: number;
}

/**
 * Declares that the databases of this server were restored. Audit records it in the log of every team. Every member must sign in
 * again, because sessions that were ended since the backup would be valid. Payments erases again what the backup contains, also when
 * the restore left its progress as it was: `mongorestore --drop` drops only the collections of the backup.
 */
export async function declareRestore(client: MongoClient, clock: Clock): Promise<DeclaredRestore> {
  await client
    .db(DATABASES.payments)
    .collection(ERASURE_PROGRESS_COLLECTION)
    .updateMany({}, { $set: NO_ERASURES_APPLIED });
  const at = new Date(clock.now());
  const sessions = await endSessions(client, at);
  await client
    .db(DATABASES.audit)
    .collection<RestoreDocument>(RESTORES_COLLECTION)
    .insertOne({
      _id: newId('audit'),
      declared_at: at,
      recorded_at: null,
      leased_until: null,
    });
  return { at, sessions };
}

/** Sessions with audit entries that audit has not confirmed stay until it has: accounts deletes them later, because they are expired. */
async function endSessions(client: MongoClient, at: Date): Promise<number> {
  const sessions = client.db(DATABASES.accounts).collection('sessions');
  const { deletedCount } = await sessions.deleteMany({ 'outbox.0': { $exists: false } });
  const ended = { $set: { revoked_at: at, expires_at: at } };
  const { modifiedCount } = await sessions.updateMany({ revoked_at: null }, ended);
  return deletedCount + modifiedCount;
}
