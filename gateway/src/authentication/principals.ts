import { hash } from 'node:crypto';
import { ApplicationEntry, COMPLETE_ENTRY_KEY, KeyEntry } from '@tollgate/contracts/applications/principal';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import { type AddressRanges, parseAddressRanges } from '@tollgate/security/address-ranges';
import type { SignatureVerifier } from '@tollgate/security/signature';

interface KnownEntry {
  /** Digest of the entry as received: the signature of an equal entry is not verified again. Entries themselves are too large to keep. */
  receivedDigest: string;
  version: number;
}

/** A KV entry `key.<lookup id>`, parsed once, so that each request only looks up and compares. */
export interface KnownKey extends KnownEntry {
  id: string;
  applicationId: string;
  environment: Environment;
  /** The bytes of the digest as Latin-1: a buffer takes twice the memory, and keeps the pool that it was cut from. */
  digest: string;
  pepperVersion: string;
  /** Null if the entry does not say it. */
  pepperFingerprint: string | null;
  scopes: readonly Scope[];
  /** Null if the key may be used from any address. */
  allowedFrom: AddressRanges | null;
  expiresAtMs: number | null;
  status: KeyEntry['status'];
}

export interface KnownApplication extends KnownEntry {
  teamId: string;
  status: ApplicationEntry['status'];
  scopes: readonly Scope[];
  limits: ApplicationEntry['limits'];
  requireIdempotencyKey: ApplicationEntry['require_idempotency_key'];
}

/**
 * All keys and applications of the KV bucket `principals`, in memory: requests make no network call, and unknown keys
 * cannot flood a backend.
 */
export interface Principals {
  findKey(lookupId: string): KnownKey | undefined;
  keys(): Iterable<KnownKey>;
  findApplication(applicationId: string): KnownApplication | undefined;
  /**
   * Replaces everything at once, so that removed entries do not stay. An incomplete snapshot, of a bucket that is still
   * being filled, is added to the current entries and replaces them when it is complete. In a bucket with the same
   * creation time, an entry cannot go back to an earlier version.
   */
  replaceAll(entries: ReadonlyMap<string, unknown>, bucketCreatedAt: string): void;
  /** Applies one changed entry. Null removes it. */
  apply(entryKey: string, value: unknown): void;
  /** Why the entries must not be used, or null: not loaded yet, or not confirmed for too long. */
  reasonNotUsable(): string | null;
}

export function createPrincipals(deps: {
  verifier: SignatureVerifier;
  countUnverified: CountUnverified;
  clock: Clock;
  logger: Logger;
  maxStalenessMs: number;
  /** Time of the last confirmation by NATS, in ms since the epoch; null before the first. */
  lastConfirmedAt: () => number | null;
}): Principals {
  const { clock, maxStalenessMs, lastConfirmedAt } = deps;
  const versions = new Map<string, number>();
  const readEntry = createEntryReader({ ...deps, versions });
  let tables = emptyTables();
  let createdAt: string | null = null;
  let loaded = false;
  /** Entries of a bucket that is being filled; null if there is none. */
  let incoming: Tables | null = null;

  function takeOver(next: Tables): void {
    tables = next;
    incoming = null;
    loaded = true;
  }

  /**
   * An entry also applies to the served tables immediately: a revocation must not wait until `incoming` is complete.
   */
  function apply(entryKey: string, value: unknown): void {
    const entry = readEntry(entryKey, value, tables);
    store(tables, entry);
    if (!incoming) return;
    store(incoming, entry);
    if (entryKey === COMPLETE_ENTRY_KEY) takeOver(incoming);
  }

  return {
    findKey: (lookupId) => tables.keys.get(lookupId),
    keys: () => tables.keys.values(),
    findApplication: (applicationId) => tables.applications.get(applicationId),
    replaceAll(entries, bucketCreatedAt) {
      // A bucket that was created anew may be filled from a restored backup, whose versions are earlier ones.
      if (bucketCreatedAt !== createdAt) versions.clear();
      createdAt = bucketCreatedAt;
      const read = [...entries].map(([entryKey, value]) => readEntry(entryKey, value, tables));
      const next = emptyTables();
      for (const entry of read) store(next, entry);
      if (entries.has(COMPLETE_ENTRY_KEY)) {
        takeOver(next);
        return;
      }
      incoming = next;
      for (const entry of read) store(tables, entry);
    },
    apply,
    reasonNotUsable() {
      const confirmedAt = lastConfirmedAt();
      if (!loaded || confirmedAt === null) return 'API keys are not loaded yet';
      if (clock.now() - confirmedAt > maxStalenessMs) return 'API keys have not been confirmed for too long';
      return null;
    },
  };
}

interface Tables {
  keys: Map<string, KnownKey>;
  applications: Map<string, KnownApplication>;
}

function emptyTables(): Tables {
  return { keys: new Map(), applications: new Map() };
}

const KEY_PREFIX = 'key.';
const APPLICATION_PREFIX = 'app.';
const keyReader = openReader(KeyEntry);
const applicationReader = openReader(ApplicationEntry);

/** An entry that was read, with the table and the id under which it is stored. Null removes it. */
type ReadEntry =
  | { table: 'keys'; id: string; known: KnownKey | null }
  | { table: 'applications'; id: string; known: KnownApplication | null }
  | null;

function store(tables: Tables, entry: ReadEntry): void {
  if (entry?.table === 'keys') replace(tables.keys, entry.id, entry.known);
  else if (entry) replace(tables.applications, entry.id, entry.known);
}

function replace<T>(table: Map<string, T>, id: string, value: T | null): void {
  if (value === null) table.delete(id);
  else table.set(id, value);
}

/** Reads entries of the bucket. One that is unreadable or fails verification counts as absent, so its key is rejected. */
function createEntryReader({
  verifier,
  countUnverified,
  versions,
  logger,
}: {
  verifier: SignatureVerifier;
  countUnverified: CountUnverified;
  /** The latest version of each entry that was accepted in this bucket, also of those that were removed since. */
  versions: Map<string, number>;
  logger: Logger;
}): (entryKey: string, value: unknown, current: Tables) => ReadEntry {
  function countRejected(entryKey: string, reason: string): void {
    countUnverified('principal', reason);
    logger.error({ subject: entryKey, reason }, 'rejected an entry of the principals bucket');
  }

  function accept<T extends KnownEntry>(entryKey: string, known: T): T {
    versions.set(entryKey, Math.max(known.version, versions.get(entryKey) ?? 0));
    return known;
  }

  function read<T extends KnownKey | KnownApplication>(
    entryKey: string,
    value: unknown,
    current: T | undefined,
    parse: (value: unknown) => T,
  ): T | null {
    if (value === null) return null;
    if (current && current.receivedDigest === digestOf(value)) return accept(entryKey, current);
    const check = verifier.check('principal', value, entryKey);
    if (check.fault !== null) {
      countRejected(entryKey, check.fault);
      return null;
    }
    try {
      const known = parse(value);
      const isOutdated = known.version < (versions.get(entryKey) ?? 0);
      // A true entry of an earlier time. One that takes access away is never wrong to apply.
      if (!isOutdated || known.status !== 'active') return accept(entryKey, known);
      countRejected(entryKey, 'outdated');
      return current ?? null;
    } catch (error) {
      logger.error(
        { subject: entryKey, err: error },
        'invalid entry of the principals bucket; it is ignored',
      );
      return null;
    }
  }

  return (entryKey, value, { keys, applications }) => {
    if (entryKey.startsWith(KEY_PREFIX)) {
      const id = entryKey.slice(KEY_PREFIX.length);
      return { table: 'keys', id, known: read(entryKey, value, keys.get(id), parseKey) };
    }
    if (!entryKey.startsWith(APPLICATION_PREFIX)) return null;
    const id = entryKey.slice(APPLICATION_PREFIX.length);
    return {
      table: 'applications',
      id,
      known: read(entryKey, value, applications.get(id), parseApplication),
    };
  };
}

/** @throws TypeError or RangeError */
function parseKey(value: unknown): KnownKey {
  const entry = keyReader.read(value);
  if (!entry) throw new TypeError(keyReader.describeMismatch(value));
  const shared = sharedByManyKeys(entry);
  return {
    receivedDigest: digestOf(value),
    version: entry.version,
    id: entry.id,
    applicationId: entry.application_id,
    environment: entry.environment,
    digest: Buffer.from(entry.digest, 'hex').toString('latin1'),
    pepperVersion: shared.pepperVersion,
    pepperFingerprint: shared.pepperFingerprint,
    scopes: shared.scopes,
    allowedFrom: entry.allowed_cidrs.length > 0 ? parseAddressRanges(entry.allowed_cidrs) : null,
    expiresAtMs: entry.expires_at === null ? null : parseTime(entry.expires_at),
    status: entry.status,
  };
}

/** @throws TypeError */
function parseApplication(value: unknown): KnownApplication {
  const entry = applicationReader.read(value);
  if (!entry) throw new TypeError(applicationReader.describeMismatch(value));
  return {
    receivedDigest: digestOf(value),
    version: entry.version,
    teamId: entry.team_id,
    status: entry.status,
    scopes: entry.scopes,
    limits: entry.limits,
    requireIdempotencyKey: entry.require_idempotency_key,
  };
}

function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'latin1');
}

type SharedFields = Pick<KnownKey, 'scopes' | 'pepperVersion' | 'pepperFingerprint'>;

/** Most keys have one of a few lists of scopes and one of two peppers, and each parsed entry has copies of its own. */
const sharedFields = new Map<string, SharedFields>();

function sharedByManyKeys({ scopes, pepper_version, pepper_fingerprint }: KeyEntry): SharedFields {
  const id = JSON.stringify([scopes, pepper_version, pepper_fingerprint]);
  const known = sharedFields.get(id);
  if (known) return known;
  const fields = { scopes, pepperVersion: pepper_version, pepperFingerprint: pepper_fingerprint };
  sharedFields.set(id, fields);
  return fields;
}

/** NaN would compare as never expired. */
function parseTime(text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) throw new RangeError(`"${text}" is not a time`);
  return timeMs;
}
