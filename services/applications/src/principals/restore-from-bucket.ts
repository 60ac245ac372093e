import { isDeepStrictEqual } from 'node:util';
import { ApplicationEntry, KeyEntry } from '@tollgate/contracts/applications/principal';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { type AuditTrail, changeAudited } from '@tollgate/store/audited-records';
import { type Application, atEntry as applicationAtEntry } from '../applications/application.ts';
import type { ApplicationStore } from '../applications/application-store.ts';
import { applicationEntry, keyEntry } from '../audit-entry.ts';
import { type ApiKey, atEntry as keyAtEntry } from '../keys/api-key.ts';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import { entryKeyTarget } from './principal-source.ts';

/**
 * Copies an entry of the bucket to MongoDB, which is behind it after a restore: a key that was revoked since the backup
 * stays revoked. Resolves to false when MongoDB is not behind any more. The change has an audit entry, like any other.
 */
export type RestoreFromBucket = (entryKey: string, entry: unknown) => Promise<boolean>;

export function createRestoreFromBucket(
  context: AuditTrail & { applications: ApplicationStore; apiKeys: ApiKeyStore },
): RestoreFromBucket {
  const { applications, apiKeys } = context;

  async function restoreApplication(id: string, entry: ApplicationEntry): Promise<boolean> {
    const [found] = await applications.findOfAllTeams([id]);
    if (!found || found.version >= entry.version) return false;
    await changeAudited(
      context,
      applications,
      { _id: id, team_id: found.team_id },
      (before, now) => (before.version < entry.version ? applicationAtEntry(before, entry, now) : before),
      (before, after) => withChanges(applicationEntry(actionOf(before, after), SYSTEM_AUTHOR)(before, after)),
    );
    return true;
  }

  async function restoreKey(lookupId: string, entry: KeyEntry): Promise<boolean> {
    const [found] = await apiKeys.findOfAllTeams([lookupId]);
    if (!found || !isBehind(found, entry)) return false;
    await changeAudited(
      context,
      apiKeys,
      { _id: found._id, team_id: found.team_id },
      (before, now) => (isBehind(before, entry) ? keyAtEntry(before, entry, now) : before),
      (before, after) => withChanges(keyEntry(keyActionOf(before, after), SYSTEM_AUTHOR)(before, after)),
    );
    return true;
  }

  return async (entryKey, value) => {
    const { applicationId, lookupId } = entryKeyTarget(entryKey);
    const application = openReader(ApplicationEntry).read(value);
    if (applicationId !== undefined && application) return restoreApplication(applicationId, application);
    const key = openReader(KeyEntry).read(value);
    if (lookupId !== undefined && key) return restoreKey(lookupId, key);
    return false;
  };
}

/** No change undoes a revocation, so a key that is not revoked is always behind an entry that is. */
function isBehind(key: ApiKey, entry: KeyEntry): boolean {
  return key.version < entry.version || (entry.status === 'revoked' && key.revoked_at === null);
}

/** No entry if only fields changed that entries of the bucket do not have, such as the name: only the version rises then. */
function withChanges(entry: AuditEntry): AuditEntry[] {
  return Object.keys(entry.changes).length > 0 ? [entry] : [];
}

function keyActionOf(before: ApiKey, after: ApiKey): AuditAction {
  return after.revoked_at && !before.revoked_at ? 'key.revoked' : 'key.updated';
}

/** The action with the most effect. The audit entry shows all changes. */
function actionOf(before: Application, after: Application): AuditAction {
  if (before.deleted_at === null && after.deleted_at !== null) return 'application.deleted';
  if (before.status !== after.status)
    return after.status === 'archived' ? 'application.archived' : 'application.restored';
  if (!isDeepStrictEqual(before.scopes, after.scopes)) return 'application.scopes_changed';
  if (!isDeepStrictEqual(before.limits, after.limits)) return 'application.limits_changed';
  return 'application.idempotency_key_requirement_changed';
}
