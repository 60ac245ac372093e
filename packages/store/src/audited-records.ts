import type { AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { Signer } from '@tollgate/security/signature';
import type { Model, QueryFilter } from 'mongoose';
import { type AuditOutbox, auditMessage } from './audit-outbox.ts';
import { isDuplicateKey, wroteUnlessDuplicate } from './duplicate-key.ts';

/** Losing this many races in a row would take more concurrent writers than a team has. */
const MAX_ATTEMPTS = 20;

/** A stored document whose changes are audited. Each change raises `version`, unless `unchanged` says what it raises. */
export interface AuditedRecord {
  _id: string;
  version?: number;
  outbox: SignedAuditEntry[];
}

/** A collection of audited records. A store of an entity is one, with the queries of that entity. */
export interface AuditedRecords<Stored extends AuditedRecord> {
  readonly model: Model<Stored>;
  /** What a record is called in errors, without an article: `API key`. */
  readonly noun: string;
  /** The record of a team that has never changed it, which is not stored. */
  readonly initial?: (teamId: string) => Stored;
  /** Matches the record until another change is stored. By default, its version. */
  readonly unchanged?: (before: Stored) => QueryFilter<Stored>;
}

/** What a context provides for audited writes. */
export interface AuditTrail {
  signer: Signer;
  audit: Pick<AuditOutbox, 'enqueue'>;
  clock: Clock;
}

/** The entries of a write. `before` and `after` are the record as it was read, and as it is stored. */
export type EntriesOf<Stored> = (before: Stored, after: Stored) => AuditEntry | AuditEntry[];

/**
 * The one way to change a record: reads it, decides, and writes the fields that it replaced in one update with the audit entries. If another
 * write was first, or took a value of a unique index, it reads and decides again.
 *
 * @param filter names the team, and matches one record
 * @param decide returns the changed record with a higher version, or the same object if nothing changes: then nothing is written.
 * Whatever it throws ends the change
 * @returns the record as it is now. Throws `not-found`, and `conflict` when other writes are always first
 */
export async function changeAudited<Stored extends AuditedRecord>(
  trail: AuditTrail,
  records: AuditedRecords<Stored>,
  filter: QueryFilter<Stored>,
  decide: (before: Stored, now: Date) => Stored | Promise<Stored>,
  entriesOf: EntriesOf<Stored>,
): Promise<Stored> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const stored = await records.model.findOne(filter).lean<Stored | null>();
    const before = stored ?? unstored(records, String(filter._id));
    const after = await decide(before, new Date(trail.clock.now()));
    if (after === before) return before;
    const entries = sign(trail, entriesOf(before, after));
    const isWritten = await (stored === null
      ? wroteUnlessDuplicate(records.model.create([{ ...after, outbox: entries }]))
      : update(records, filter, { before, after, entries }));
    if (!isWritten) continue;
    publish(trail, after._id, entries);
    return after;
  }
  throw new Problem(
    'conflict',
    `The ${records.noun} is being changed by other requests. Fetch it again, then retry.`,
  );
}

/** Inserts a record with the audit entries of its creation. Throws for a duplicate key. */
export async function insertAudited<Stored extends AuditedRecord>(
  trail: AuditTrail,
  { model }: { model: Model<Stored> },
  record: Stored,
  created: AuditEntry | AuditEntry[],
): Promise<Stored> {
  const entries = sign(trail, created);
  await model.create([{ ...record, outbox: entries }]);
  publish(trail, record._id, entries);
  return record;
}

/**
 * Stores the audit entry of an action, with `set` and `unset` in the same write, and without a new version: the filter is the only
 * condition. False if it matches no record: then nothing is stored.
 */
export async function recordAudited<Stored extends AuditedRecord>(
  trail: AuditTrail,
  { model }: { model: Model<Stored> },
  filter: QueryFilter<Stored> & { _id: string },
  entry: AuditEntry | AuditEntry[],
  set: Partial<Stored> = {},
  unset: readonly (keyof Stored & string)[] = [],
): Promise<boolean> {
  const entries = sign(trail, entry);
  const { matchedCount } = await model.updateOne(filter, {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((field) => [field, true])) }),
    $push: { outbox: { $each: entries } },
  } as object);
  if (matchedCount === 0) return false;
  publish(trail, filter._id, entries);
  return true;
}

function sign({ signer }: AuditTrail, entries: AuditEntry | AuditEntry[]): SignedAuditEntry[] {
  return [entries].flat().map((entry) => signAuditEntry(signer, entry));
}

function publish({ audit }: AuditTrail, recordId: string, entries: SignedAuditEntry[]): void {
  audit.enqueue(entries.map((entry) => auditMessage(recordId, entry)));
}

/** Also for a record of another team, so that callers cannot learn which ids exist. */
export function recordNotFound({ noun }: { readonly noun: string }, id: string): Problem {
  return new Problem('not-found', `Your team has no ${noun} ${id}.`);
}

function unstored<Stored extends AuditedRecord>(records: AuditedRecords<Stored>, id: string): Stored {
  if (records.initial) return records.initial(id);
  throw recordNotFound(records, id);
}

/** False if another write was first. */
async function update<Stored extends AuditedRecord>(
  { model, unchanged = versionOf }: AuditedRecords<Stored>,
  filter: QueryFilter<Stored>,
  { before, after, entries }: { before: Stored; after: Stored; entries: SignedAuditEntry[] },
): Promise<boolean> {
  const asRead = { ...filter, _id: before._id, ...unchanged(before) };
  const changes = { ...changedFields(before, after), $push: { outbox: { $each: entries } } };
  try {
    return (await model.updateOne(asRead, changes as object)).matchedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

const versionOf = <Stored extends AuditedRecord>({ version }: Stored) => ({ version }) as QueryFilter<Stored>;

/**
 * Only what the decision replaced, also by an equal object: another writer, such as the holder of a lease, may change other fields
 * without a version.
 */
function changedFields(before: object, after: object): { $set: object; $unset?: object } {
  const [earlier, later] = [before, after] as Record<string, unknown>[];
  const differs = ([field, value]: [string, unknown]) =>
    field !== 'outbox' && value !== undefined && value !== earlier?.[field];
  const gone = Object.keys(before).filter((field) => later?.[field] === undefined);
  return {
    $set: Object.fromEntries(Object.entries(after).filter(differs)),
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((field) => [field, true])) }),
  };
}
