import type { Environment } from '@tollgate/contracts/environment';
import { openReader } from '@tollgate/contracts/open-reader';
import { ApplicationEntry, COMPLETE_ENTRY_KEY, KeyEntry } from '@tollgate/contracts/principal';
import type { Scope } from '@tollgate/contracts/scopes';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type AddressRanges, parseAddressRanges } from '@tollgate/security/address-ranges';

/** A KV entry `key.<lookup id>`, parsed once, so that each request only looks up and compares. */
export interface KnownKey {
  id: string;
  applicationId: string;
  environment: Environment;
  digest: Buffer;
  pepperVersion: string;
  scopes: readonly Scope[];
  /** Null if the key may be used from any address. */
  allowedFrom: AddressRanges | null;
  expiresAtMs: number | null;
  status: KeyEntry['status'];
}

export interface KnownApplication {
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
  findApplication(applicationId: string): KnownApplication | undefined;
  /**
   * Replaces everything at once, so that removed entries do not stay. An incomplete snapshot, of a bucket that is still
   * being filled, is added to the current entries and replaces them when it is complete.
   */
  replaceAll(entries: ReadonlyMap<string, unknown>): void;
  /** Applies one changed entry. Null removes it. */
  apply(entryKey: string, value: unknown): void;
  /** Why the entries must not be trusted, or null: not loaded yet, or not confirmed for too long. */
  reasonNotUsable(): string | null;
}

export function createPrincipals(deps: {
  clock: Clock;
  logger: Logger;
  maxStalenessMs: number;
  /** Time of the last confirmation by NATS, in ms since the epoch; null before the first. */
  lastConfirmedAt: () => number | null;
}): Principals {
  const { clock, logger, maxStalenessMs, lastConfirmedAt } = deps;
  let tables = emptyTables();
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
    applyTo(tables, entryKey, value, logger);
    if (!incoming) return;
    applyTo(incoming, entryKey, value, logger);
    if (entryKey === COMPLETE_ENTRY_KEY) takeOver(incoming);
  }

  return {
    findKey: (lookupId) => tables.keys.get(lookupId),
    findApplication: (applicationId) => tables.applications.get(applicationId),
    replaceAll(entries) {
      const next = emptyTables();
      for (const [entryKey, value] of entries) applyTo(next, entryKey, value, logger);
      if (entries.has(COMPLETE_ENTRY_KEY)) {
        takeOver(next);
        return;
      }
      incoming = next;
      for (const [entryKey, value] of entries) applyTo(tables, entryKey, value, logger);
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

/** An unreadable entry counts as absent, so its key is rejected. */
function applyTo(tables: Tables, entryKey: string, value: unknown, logger: Logger): void {
  if (entryKey.startsWith(KEY_PREFIX)) {
    replace(tables.keys, entryKey.slice(KEY_PREFIX.length), parseKey(value, entryKey, logger));
  } else if (entryKey.startsWith(APPLICATION_PREFIX)) {
    replace(
      tables.applications,
      entryKey.slice(APPLICATION_PREFIX.length),
      parseApplication(value, entryKey, logger),
    );
  }
}

function replace<T>(table: Map<string, T>, id: string, value: T | null): void {
  if (value === null) table.delete(id);
  else table.set(id, value);
}

function parseKey(value: unknown, entryKey: string, logger: Logger): KnownKey | null {
  if (value === null) return null;
  try {
    const entry = keyReader.read(value);
    if (!entry) throw new TypeError(keyReader.describeMismatch(value));
    return {
      id: entry.id,
      applicationId: entry.application_id,
      environment: entry.environment,
      digest: Buffer.from(entry.digest, 'hex'),
      pepperVersion: entry.pepper_version,
      scopes: entry.scopes,
      allowedFrom: entry.allowed_cidrs.length > 0 ? parseAddressRanges(entry.allowed_cidrs) : null,
      expiresAtMs: entry.expires_at === null ? null : parseTime(entry.expires_at),
      status: entry.status,
    };
  } catch (error) {
    logger.error({ subject: entryKey, err: error }, 'invalid key entry; the key is rejected');
    return null;
  }
}

function parseApplication(value: unknown, entryKey: string, logger: Logger): KnownApplication | null {
  if (value === null) return null;
  try {
    const entry = applicationReader.read(value);
    if (!entry) throw new TypeError(applicationReader.describeMismatch(value));
    return {
      teamId: entry.team_id,
      status: entry.status,
      scopes: entry.scopes,
      limits: entry.limits,
      requireIdempotencyKey: entry.require_idempotency_key,
    };
  } catch (error) {
    logger.error({ subject: entryKey, err: error }, 'invalid application entry; its keys are rejected');
    return null;
  }
}

/** NaN would compare as never expired. */
function parseTime(text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) throw new RangeError(`"${text}" is not a time`);
  return timeMs;
}
