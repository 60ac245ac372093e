import type { DatabaseSync } from 'node:sqlite';
import { MongoError } from '../bson/mongo-error.ts';

/** A group is committed after this time without another write, even if more writers are expected. */
const SILENCE_MS = 1;
/** The maximum time until a group is committed. */
const MAX_GATHERING_MS = 5;
/** A client that wrote within this number of recent groups is expected to write again. */
const GROUPS_REMEMBERED = 4;

/** Called when the data that a reply depends on is on disk, or with the error that prevented it. */
export type Deliver = (failure?: Error) => void;

/**
 * Shares one SQLite transaction, and so one fsync, among all writes that arrive together.
 *
 * A group is committed as soon as half of the recent writers wait for it. A single client never waits for another, and
 * of 64 clients that write continuously, at least 32 share a flush. COMMIT blocks while the disk flushes; requests that
 * arrive meanwhile form the next group. A command that saw uncommitted data, including a read, must not get its reply
 * before the group is on disk: every reply goes through `whenDurable`.
 */
export interface GroupCommit {
  /** Runs a change inside the current group. Opens a group if necessary. */
  write<T>(change: () => T): T;
  /**
   * Delivers immediately if nothing is uncommitted, otherwise after the commit, in order.
   * @param origin the connection that waits, compared by identity
   */
  whenDurable(deliver: Deliver, origin?: unknown): void;
  /** Commits the open group. */
  flush(): void;
  /** The number of transactions committed so far. Each flushes once. */
  readonly commits: number;
}

/** @param onRolledBack called when a group was rolled back */
export function createGroupCommit(
  database: DatabaseSync,
  onRolledBack: () => void,
  silenceMs = SILENCE_MS,
): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  let commits = 0;
  let open = false;
  let failure: Error | undefined;
  let waiting: Deliver[] = [];
  /** The connections in the current group. `joinedBefore` has those of previous groups, latest first. */
  let joined = new Set<unknown>();
  let joinedBefore: Set<unknown>[] = [];
  /** How many replies must wait before the group is committed early. */
  let wanted = 0;
  let commitSoon: NodeJS.Immediate | undefined;
  let openedAt = 0;
  let silence: NodeJS.Timeout | undefined;

  function openGroup(): void {
    if (open) return;
    begin.run();
    open = true;
    wanted = Math.ceil(joinedBefore.reduce((all, one) => all.union(one), new Set()).size / 2);
    openedAt = performance.now();
    commitAfterSilence();
    commitWhenGathered();
  }

  /** Commits at the end of the event loop turn, so that all requests that have arrived take part. */
  function commitWhenGathered(): void {
    if (waiting.length >= wanted) commitSoon ??= setImmediate(flush);
  }

  function commitAfterSilence(): void {
    const before = waiting.length;
    silence = setTimeout(() => {
      const isOver = performance.now() - openedAt > MAX_GATHERING_MS;
      if (isOver || waiting.length === before) commitSoon ??= setImmediate(flush);
      else commitAfterSilence();
    }, silenceMs);
  }

  function closeGroup(): void {
    clearImmediate(commitSoon);
    clearTimeout(silence);
    commitSoon = undefined;
    joinedBefore = [joined, ...joinedBefore].slice(0, GROUPS_REMEMBERED);
    joined = new Set();
    waiting = [];
    failure = undefined;
    open = false;
  }

  function flush(): void {
    if (!open) return;
    if (failure === undefined) {
      try {
        commit.run();
        commits += 1;
      } catch (error) {
        failure = asError(error);
      }
    }
    const outcome = failure;
    if (outcome !== undefined) rollBack();
    const deliveries = waiting;
    closeGroup();
    for (const deliver of deliveries) deliver(outcome);
  }

  function rollBack(): void {
    // SQLite rolls back by itself on a full disk or an I/O error.
    if (database.isTransaction) database.exec('ROLLBACK');
    onRolledBack();
  }

  return {
    write(change) {
      openGroup();
      // SQLite may have ended the transaction when it failed. Further statements would then commit one by one.
      if (failure !== undefined) throw failure;
      try {
        return change();
      } catch (error) {
        // A rejection (duplicate key, bad value) is thrown before anything of that document is written. Any other
        // error may leave a document half written, so the whole group is rolled back.
        if (!(error instanceof MongoError)) failure ??= asError(error);
        throw error;
      }
    },
    whenDurable(deliver, origin) {
      if (!open) {
        deliver();
        return;
      }
      waiting.push(deliver);
      joined.add(origin);
      commitWhenGathered();
    },
    flush,
    get commits() {
      return commits;
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
