import type { DatabaseSync } from 'node:sqlite';
import { MongoError } from '../bson/mongo-error.ts';

/** A group is committed after this time even if every turn brings more. */
const MAX_GATHERING_MS = 2;

/** Called once the data behind an answer is on disk, or with the reason why it is not. */
export type Deliver = (failure?: Error) => void;

/**
 * Shares one SQLite transaction, and so one fsync, among all writes that arrive together.
 *
 * COMMIT blocks while the disk flushes; what arrives meanwhile is read in the next turns and forms the next
 * group. Nothing that saw uncommitted data, reads included, may be answered before its group is on disk:
 * every answer goes through `whenDurable`.
 */
export interface GroupCommit {
  /** Runs a change inside the current group, opening one if need be. */
  write<T>(change: () => T): T;
  /** Delivers at once when nothing is uncommitted, else after the commit, in order. */
  whenDurable(deliver: Deliver): void;
  /** Commits what is open now. */
  flush(): void;
}

export function createGroupCommit(database: DatabaseSync, onRolledBack: () => void): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  let open = false;
  let failure: Error | undefined;
  let waiting: Deliver[] = [];

  function openGroup(): void {
    if (open) return;
    begin.run();
    open = true;
    gather(0, performance.now() + MAX_GATHERING_MS);
  }

  /** Commits in the first turn that brings nothing new: one more look at the sockets is cheaper than a flush. */
  function gather(gathered: number, until: number): void {
    setImmediate(() => {
      if (waiting.length > gathered && performance.now() < until) gather(waiting.length, until);
      else flush();
    });
  }

  function flush(): void {
    if (!open) return;
    if (failure === undefined) {
      try {
        commit.run();
      } catch (error) {
        failure = asError(error);
      }
    }
    const outcome = failure;
    if (outcome !== undefined) rollBack();
    const deliveries = waiting;
    open = false;
    failure = undefined;
    waiting = [];
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
        // A refusal (duplicate key, bad value) is raised before anything of that document is written. Anything
        // else may have left half a document behind: the whole group is given up.
        if (!(error instanceof MongoError)) failure ??= asError(error);
        throw error;
      }
    },
    whenDurable(deliver) {
      if (open) waiting.push(deliver);
      else deliver();
    },
    flush,
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
