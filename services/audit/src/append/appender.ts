import { setTimeout as delay } from 'node:timers/promises';
import { PoisonMessage } from '@tollgate/bus/consumer';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Context } from '../context.ts';
import { type RecordDocument, sealRecord } from '../records/record-document.ts';
import { storableEntry } from './storable-entry.ts';
import { findMissing, identified } from './stored-entries.ts';

/** Maximum number of records in one write. */
const MAX_BATCH = 200;
/** Attempts of a batch, each lost to another instance. More in a row indicate a fault. */
const MAX_ATTEMPTS = 50;
const MAX_PAUSE_MS = 20;

export interface Appender {
  /**
   * Appends an entry to the log of its team exactly once, however many calls and instances append it. Resolves when a
   * majority has the record on disk. Throws PoisonMessage for an entry that can never be stored, and another error when
   * it was not stored this time; the caller may then retry.
   */
  append(entry: AuditEntry): Promise<void>;
}

/** What a use case that appends has. */
export interface AppendContext extends Context {
  appender: Appender;
}

interface Waiting extends PromiseWithResolvers<void> {
  entry: AuditEntry;
}

/** One queue per team: numbers are assigned in order, so that a batch that is cut off leaves no gap. */
export function createAppender(context: Context): Appender {
  const queues = new Map<string, (waiting: Waiting) => void>();
  return {
    async append(received) {
      const entry = storableEntry(received);
      const add = queues.get(entry.team_id) ?? createTeamQueue(context, entry.team_id);
      queues.set(entry.team_id, add);
      const waiting = { entry, ...Promise.withResolvers<void>() };
      add(waiting);
      return waiting.promise;
    },
  };
}

function createTeamQueue(context: Context, teamId: string): (waiting: Waiting) => void {
  const queue: Waiting[] = [];
  let isAtWork = false;

  async function work(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH);
      try {
        const rejected = await store(context, teamId, batch);
        for (const { entry, resolve, reject } of batch) {
          const reason = rejected.get(entry.id);
          if (reason) reject(reason);
          else resolve();
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isAtWork = false;
  }

  return (waiting) => {
    queue.push(waiting);
    if (isAtWork) return;
    isAtWork = true;
    // At the end of this turn of the event loop, so that entries of the same turn share a batch.
    setImmediate(() => void work());
  };
}

/**
 * Stores entries at the end of a team's log. Calls for a team must not overlap. Resolves to the entries that the database
 * rejected, by id: all others are stored.
 */
async function store(
  context: Context,
  teamId: string,
  batch: readonly { entry: AuditEntry }[],
): Promise<ReadonlyMap<string, Error>> {
  const { records, metrics } = context;
  const rejected = new Map<string, Error>();
  let waiting = [...new Map(batch.map(({ entry }) => [identified(entry).digest, entry])).values()];
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    if (attempt - rejected.size > MAX_ATTEMPTS)
      throw new Error(`${waiting.length} audit records could not be added in ${attempt} attempts`);
    const documents = await numbered(context, teamId, waiting);
    const { inserted, rejection } = await records.insertInOrder(documents);
    metrics.appended.inc(inserted);
    const invalid = documents[inserted];
    if (invalid === undefined) break;
    if (rejection) {
      rejected.set(invalid._id, rejectionOf(rejection));
      waiting = waiting.slice(inserted + 1);
      continue;
    }
    // Another instance took a number or stored one of these entries. Or something else has the id of an entry.
    waiting = await findMissing(context, waiting.slice(inserted));
    if (attempt > 1) await delay(Math.random() * MAX_PAUSE_MS);
  }
  return rejected;
}

/** Codes of MongoDB that no repetition changes: BadValue, InvalidBSON, DocumentValidationFailure, BSONObjectTooLarge. */
const PERMANENT_CODES: readonly unknown[] = [2, 22, 121, 10334];

function rejectionOf(error: Error): Error {
  const { code } = error as { code?: unknown };
  if (!PERMANENT_CODES.includes(code)) return error;
  return new PoisonMessage(`The database rejects the audit record: ${error.message}`);
}

/**
 * The documents of entries, numbered after the last record and after everything that was signed: numbers of deleted records
 * are not assigned again. `recorded_at` never goes back, even if this instance's clock does. Reads the end of the log for
 * each batch, because a backup can be restored while this instance runs.
 */
async function numbered(
  { records, heads, logs, signingKeys, clock }: Context,
  teamId: string,
  entries: AuditEntry[],
): Promise<RecordDocument[]> {
  const [last, head, known] = await Promise.all([
    records.findLast(teamId),
    heads.findLast(teamId),
    logs.open(teamId),
  ]);
  const end = Math.max(last?.seq ?? 0, head?.size ?? 0, known?.size ?? 0);
  const notBefore = [last?.recorded_at, head?.at].map((time) => (time === undefined ? 0 : Date.parse(time)));
  const recorded_at = new Date(Math.max(clock.now(), ...notBefore)).toISOString();
  return entries.map((entry, index) =>
    sealRecord({ ...entry, seq: end + 1 + index, recorded_at }, signingKeys[0]),
  );
}
