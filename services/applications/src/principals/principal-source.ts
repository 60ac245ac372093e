import { applicationEntryKey, keyEntryKey } from '@tollgate/contracts/principal';
import type { Clock } from '@tollgate/runtime/clock';
import type { Keyring } from '@tollgate/security/keyring';
import type { ApplicationStore } from '../applications/application-store.ts';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import { applicationEntry, isTombstoneDue, keyEntry, type PrincipalEntry } from './principal-entry.ts';

/** The expected content of the bucket, read from MongoDB. */
export interface PrincipalSource {
  /**
   * The expected entries under these keys. Null for a key that is revoked or expired for so long that it should have no
   * entry; a key without a document is absent.
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
      const [foundApplications, foundKeys] = await Promise.all([
        applications.findOfAllTeams(withoutPrefix(entryKeys, APPLICATION_PREFIX)),
        apiKeys.findOfAllTeams(withoutPrefix(entryKeys, KEY_PREFIX)),
      ]);
      const now = new Date(clock.now());
      const entries = new Map<string, PrincipalEntry | null>();
      for (const found of foundApplications)
        entries.set(applicationEntryKey(found.id), applicationEntry(found));
      for (const found of foundKeys)
        entries.set(
          keyEntryKey(found.lookupId),
          isTombstoneDue(found, now) ? null : keyEntry(found, peppers),
        );
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
