import { applicationEntryKey, keyEntryKey } from '@tollgate/contracts/principal';
import type { Clock } from '@tollgate/runtime/clock';
import type { Keyring } from '@tollgate/security/keyring';
import type { ApplicationStore } from '../applications/application-store.ts';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import { applicationEntry, isTombstoneDue, keyEntry, type PrincipalEntry } from './principal-entry.ts';

/** The expected content of the bucket, read from MongoDB. */
export interface PrincipalSource {
  /** The expected entries under these keys. A key that should have no entry is absent. */
  read(entryKeys: string[]): Promise<Map<string, PrincipalEntry>>;
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
      const [foundApplications, foundKeys] = await Promise.all([
        applications.findOfAllTeams(withoutPrefix(entryKeys, APPLICATION_PREFIX)),
        apiKeys.findOfAllTeams(withoutPrefix(entryKeys, KEY_PREFIX)),
      ]);
      const now = new Date(clock.now());
      const entries = new Map<string, PrincipalEntry>();
      for (const found of foundApplications)
        entries.set(applicationEntryKey(found.id), applicationEntry(found));
      for (const found of foundKeys) {
        if (!isTombstoneDue(found, now)) entries.set(keyEntryKey(found.lookupId), keyEntry(found, peppers));
      }
      return entries;
    },

    async raiseVersion(entryKey, version) {
      const [applicationId] = withoutPrefix([entryKey], APPLICATION_PREFIX);
      const [lookupId] = withoutPrefix([entryKey], KEY_PREFIX);
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

function withoutPrefix(entryKeys: string[], prefix: string): string[] {
  return entryKeys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}
