import type { DatabaseSync } from 'node:sqlite';
import { MongoError } from '../bson/mongo-error.ts';

/** A group is committed after this time without another to join it, even if more were expected. */
const SILENCE_MS = 3;
/** And after this time in any case. */
const MAX_GATHERING_MS = 20;
/** Who wrote within so many groups is expected to write again. */
const GROUPS_REMEMBERED = 4;

/** Called once the data behind a reply is on disk, or with the reason why it is not. */
export type Deliver = (failure?: Error) => void;

/**
 * Shares one SQLite transaction, and so one fsync, among all writes that arrive together.
 *
 * A group is committed as soon as half of those wait for it who have lately written: a single client waits for
 * nobody, and of 64 that write again and again at least 32 share a flush. COMMIT blocks while the disk flushes;
 * what arrives meanwhile forms the next group. Nothing that saw uncommitted data, reads included, may be replied to
 * before its group is on disk: every reply goes through `whenDurable`.
 */
export interface GroupCommit {
  /** Runs a change inside the current group, opening one if need be. */
  write<T>(change: () => T): T;
  /**
   * Delivers at once when nothing is uncommitted, else after the commit, in order.
   * @param origin who waits, told apart by identity: a connection
   */
  whenDurable(deliver: Deliver, origin?: unknown): void;
  /** Commits what is open now. */
  flush(): void;
  /** Transactions committed so far; each flushes once. */
  readonly commits: number;
}

/** @param onRolledBack told when a group could not be committed */
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
  /** Who has joined the group at hand, and those before it, the latest first. */
  let joined = new Set<unknown>();
  let joinedBefore: Set<unknown>[] = [];
  /** How many must wait before the group is committed ahead of its time. */
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

  /** At the end of the turn, so that all that has arrived takes part. */
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
      // SQLite may have ended the transaction with the failure: further statements would be committed one by one.
      if (failure !== undefined) throw failure;
      try {
        return change();
      } catch (error) {
        // A rejection (duplicate key, bad value) is raised before anything of that document is written. Anything
        // else may have left half a document behind: the whole group is given up.
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
