import { applicationEntryKey, keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { Clock } from '@tollgate/runtime/clock';
import type { Keyring } from '@tollgate/security/keyring';
import type { ApplicationStore } from '../applications/application-store.ts';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import {
  applicationEntry,
  isDeletionOver,
  isTombstoneDue,
  keyEntry,
  type PrincipalEntry,
} from './principal-entry.ts';

/** The expected content of the bucket, read from MongoDB. */
export interface PrincipalSource {
  /**
   * The expected entries under these keys. Null for a key that should have no entry, because it is revoked or expired for
   * long enough or its application is deleted, and for an application that is deleted for long enough. What has no
   * document is absent.
   */
  read(entryKeys: string[]): Promise<Map<string, PrincipalEntry | null>>;
  /** Raises the version of the document to at least this one. */
  raiseVersion(entryKey: string, version: number): Promise<void>;
  /** The keys of all documents, in batches. */
  listEntryKeys(): AsyncIterable<string[]>;
}

/** Small enough that one batch's reads and writes stay well below a second. */
const BATCH_SIZE = 500;
const APPLICATION_PREFIX = applicationEntryKey('');
const KEY_PREFIX = keyEntryKey('');

export function createPrincipalSource(deps: {
  applications: ApplicationStore;
  apiKeys: ApiKeyStore;
  peppers: Keyring;
  clock: Clock;
}): PrincipalSource {
  const { applications, apiKeys, peppers, clock } = deps;

  return {
    async read(entryKeys) {
      const foundKeys = await apiKeys.findOfAllTeams(withoutPrefix(entryKeys, KEY_PREFIX));
      const foundApplications = await applications.findOfAllTeams([
        ...withoutPrefix(entryKeys, APPLICATION_PREFIX),
        ...foundKeys.map(({ application_id }) => application_id),
      ]);
      const now = new Date(clock.now());
      const entries = new Map<string, PrincipalEntry | null>();
      const deletedIds = new Set<string>();
      for (const found of foundApplications) {
        if (found.deleted_at !== null) deletedIds.add(found._id);
        entries.set(
          applicationEntryKey(found._id),
          isDeletionOver(found, now) ? null : applicationEntry(found),
        );
      }
      for (const found of foundKeys) {
        const hasNoEntry = deletedIds.has(found.application_id) || isTombstoneDue(found, now);
        entries.set(keyEntryKey(found.lookup_id), hasNoEntry ? null : keyEntry(found, peppers));
      }
      return entries;
    },

    async raiseVersion(entryKey, version) {
      const { applicationId, lookupId } = entryKeyTarget(entryKey);
      if (applicationId !== undefined) await applications.raiseVersionOfAnyTeam(applicationId, version);
      if (lookupId !== undefined) await apiKeys.raiseVersionOfAnyTeam(lookupId, version);
    },

    async *listEntryKeys() {
      yield* batches((after) => applications.listIdsOfAllTeams(after, BATCH_SIZE), applicationEntryKey);
      yield* batches((after) => apiKeys.listLookupIdsOfAllTeams(after, BATCH_SIZE), keyEntryKey);
    },
  };
}

async function* batches(
  listAfter: (after: string) => Promise<string[]>,
  toEntryKey: (id: string) => string,
): AsyncIterable<string[]> {
  let ids = await listAfter('');
  while (ids.length > 0) {
    yield ids.map(toEntryKey);
    ids = await listAfter(ids.at(-1) as string);
  }
}

/** The application or API key with this entry key. */
export function entryKeyTarget(entryKey: string): {
  applicationId: string | undefined;
  lookupId: string | undefined;
} {
  const [applicationId] = withoutPrefix([entryKey], APPLICATION_PREFIX);
  const [lookupId] = withoutPrefix([entryKey], KEY_PREFIX);
  return { applicationId, lookupId };
}

function withoutPrefix(entryKeys: string[], prefix: string): string[] {
  return entryKeys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}
