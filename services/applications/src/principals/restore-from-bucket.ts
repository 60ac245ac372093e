import { isDeepStrictEqual } from 'node:util';
import { ApplicationEntry, KeyEntry } from '@tollgate/contracts/applications/principal';
import type { AuditAction, AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { Signer } from '@tollgate/security/signature';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { type Application, atEntry as applicationAtEntry } from '../applications/application.ts';
import type { ApplicationStore } from '../applications/application-store.ts';
import { applicationAuditEntry, keyAuditEntry } from '../audit-entry.ts';
import { type ApiKey, atEntry as keyAtEntry } from '../keys/api-key.ts';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import { entryKeyTarget } from './principal-source.ts';

/**
 * Copies an entry of the bucket to MongoDB, which is behind it after a restore: a key that was revoked since the backup
 * stays revoked. Resolves to false when MongoDB is not behind any more. The change has an audit entry, like any other.
 */
export type RestoreFromBucket = (entryKey: string, entry: unknown) => Promise<boolean>;

export function createRestoreFromBucket(deps: {
  applications: Pick<ApplicationStore, 'findOfAllTeams' | 'replace' | 'raiseVersionOfAnyTeam'>;
  apiKeys: Pick<ApiKeyStore, 'findOfAllTeams' | 'saveAtEntry' | 'raiseVersionOfAnyTeam'>;
  signer: Signer;
  clock: Clock;
}): RestoreFromBucket {
  const { applications, apiKeys, signer, clock } = deps;
  const sign = (entry: AuditEntry): SignedAuditEntry => signAuditEntry(signer, entry);
  const now = () => new Date(clock.now());

  async function restoreApplication(id: string, entry: ApplicationEntry): Promise<boolean> {
    const [before] = await applications.findOfAllTeams([id]);
    if (!before || before.version >= entry.version) return false;
    const after = applicationAtEntry(before, entry, now());
    const audit = applicationAuditEntry(actionOf(before, after), SYSTEM_AUTHOR, before, after);
    if (!isEmpty(audit)) return applications.replace(before, after, sign(audit));
    await applications.raiseVersionOfAnyTeam(id, entry.version);
    return true;
  }

  async function restoreKey(lookupId: string, entry: KeyEntry): Promise<boolean> {
    const [before] = await apiKeys.findOfAllTeams([lookupId]);
    if (!before || !isBehind(before, entry)) return false;
    const after = keyAtEntry(before, entry, now());
    const action = after.revokedAt && !before.revokedAt ? 'key.revoked' : 'key.updated';
    const audit = keyAuditEntry(action, SYSTEM_AUTHOR, before, after);
    if (!isEmpty(audit)) return apiKeys.saveAtEntry(before, after, sign(audit));
    await apiKeys.raiseVersionOfAnyTeam(lookupId, entry.version);
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
  return key.version < entry.version || (entry.status === 'revoked' && key.revokedAt === null);
}

/** Only fields changed that entries do not have, such as the name. */
function isEmpty({ changes }: AuditEntry): boolean {
  return Object.keys(changes).length === 0;
}

/** The action with the most effect. The audit entry shows all changes. */
function actionOf(before: Application, after: Application): AuditAction {
  if (before.deletedAt === null && after.deletedAt !== null) return 'application.deleted';
  if (before.status !== after.status)
    return after.status === 'archived' ? 'application.archived' : 'application.restored';
  if (!isDeepStrictEqual(before.scopes, after.scopes)) return 'application.scopes_changed';
  if (!isDeepStrictEqual(before.limits, after.limits)) return 'application.limits_changed';
  return 'application.idempotency_key_requirement_changed';
}
