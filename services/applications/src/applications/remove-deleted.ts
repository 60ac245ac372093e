import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import { TOMBSTONE_MS } from '../principals/principal-entry.ts';
import type { PrincipalProjection } from '../principals/principal-projection.ts';
import type { ApplicationStore } from './application-store.ts';

const BATCH_SIZE = 500;

interface Deps {
  applications: ApplicationStore;
  apiKeys: ApiKeyStore;
  projection: PrincipalProjection;
}

/**
 * Removes what deleted applications leave: keys at once, and the document when its entry has left the bucket. A document
 * with an audit entry that the audit log has not confirmed stays until a later run.
 */
export async function removeDeleted(deps: Deps, now: Date): Promise<void> {
  await removeKeys(deps, await deps.applications.listDeletedIdsOfAllTeams());
  await deps.applications.removeDeletedOfAllTeams(new Date(now.getTime() - TOMBSTONE_MS));
}

/** Removes the keys of deleted applications. */
export async function removeKeys(
  { apiKeys, projection }: Pick<Deps, 'apiKeys' | 'projection'>,
  applicationIds: string[],
): Promise<void> {
  for (;;) {
    const keys = await apiKeys.findRemovableOfAllTeams(applicationIds, BATCH_SIZE);
    if (keys.length === 0) return;
    // First the entries: the projection keeps the entry of a revoked key that has no document.
    await projection.project(keys.map(({ lookup_id }) => keyEntryKey(lookup_id)));
    await apiKeys.removeOfAllTeams(keys.map(({ _id }) => _id));
  }
}
