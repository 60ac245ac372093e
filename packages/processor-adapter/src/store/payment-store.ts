import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tryLockFile } from '@tollgate/runtime/file-lock';
import type { PaymentState, ProcessorPayment } from '../contract/payment-state.ts';

/** What the adapter knows about a payment. */
export interface PaymentRecord {
  id: string;
  /** Null if the payment was canceled before it was started. */
  fingerprint: string | null;
  /** As Tollgate sent it; once it is final, without what nothing needs any more, such as the payer. Null if it was never started. */
  payment: ProcessorPayment | null;
  firstStartedAt: Date | null;
  /** Last known state; null while the outcome of the start is unknown. */
  state: PaymentState | null;
}

/** A callback that Tollgate has not confirmed yet. */
export interface PendingCallback {
  /** The `webhook-id` of every attempt. */
  id: string;
  paymentId: string;
  body: string;
  createdAtMs: number;
  failedAttempts: number;
  dueAtMs: number;
}

export type NewCallback = Pick<PendingCallback, 'id' | 'body' | 'createdAtMs'>;

/** Everything that must survive a restart. Each function is durable when it returns. */
export interface PaymentStore {
  find(id: string): PaymentRecord | null;
  findByReference(reference: string): PaymentRecord | null;
  insertStarted(payment: ProcessorPayment, fingerprint: string, startedAt: Date): PaymentRecord;
  insertCanceled(id: string, state: PaymentState): void;
  /**
   * Stores the state, and in the same transaction the callback that reports it. With the last state, the payer's data is removed.
   */
  saveState(id: string, state: PaymentState, options: SaveOptions): void;
  dueCallbacks(nowMs: number, limit: number): PendingCallback[];
  postponeCallback(id: string, dueAtMs: number): void;
  deleteCallback(id: string): void;
  close(): void;
}

interface SaveOptions {
  isLast: boolean;
  callback?: NewCallback | undefined;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS payments (
    id TEXT PRIMARY KEY,
    fingerprint TEXT,
    payment TEXT,
    first_started_at INTEGER,
    reference TEXT,
    state TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payments_by_reference ON payments (reference) WHERE reference IS NOT NULL;
  CREATE TABLE IF NOT EXISTS callbacks (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    failed_attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS callbacks_by_due_at ON callbacks (due_at);
`;

/**
 * Opens the SQLite file, and creates it if it does not exist.
 *
 * @throws Error when another process uses the file: two processes would start one payment twice
 */
export function openPaymentStore(path: string): PaymentStore {
  mkdirSync(dirname(path), { recursive: true });
  const lock = tryLockFile(`${path}.lock`);
  if (lock === null) {
    throw new Error(
      `The file ${path} is in use by another process. Stop that process, or give this one a file of its own.`,
    );
  }
  const database = new DatabaseSync(path);
  // FULL: a start must be on disk before the processor learns of it, also when the power fails.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // Overwrites the payer's data that `saveState` removes.
  database.exec('PRAGMA secure_delete = ON');
  database.exec(SCHEMA);
  return {
    ...paymentsTable(database),
    ...callbacksTable(database),
    close() {
      database.close();
      lock.release();
    },
  };
}

/** Keeps what a question about the payment needs. */
const WITHOUT_PAYER =
  "json_set(payment, '$.purpose', NULL, '$.reference', NULL, '$.payer', NULL, '$.payee', NULL, '$.metadata', NULL, '$.return_url', NULL)";

function paymentsTable(database: DatabaseSync) {
  const byId = database.prepare('SELECT * FROM payments WHERE id = ?');
  const byReference = database.prepare('SELECT * FROM payments WHERE reference = ? LIMIT 1');
  const insert = database.prepare(
    'INSERT INTO payments (id, fingerprint, payment, first_started_at, state) VALUES (?, ?, ?, ?, ?)',
  );
  const update = database.prepare(
    `UPDATE payments SET state = ?, reference = ?, payment = iif(?, ${WITHOUT_PAYER}, payment) WHERE id = ?`,
  );
  const insertCallback = database.prepare(
    'INSERT INTO callbacks (id, payment_id, body, created_at, due_at) VALUES (?, ?, ?, ?, ?)',
  );

  return {
    find: (id: string) => toRecord(byId.get(id)),
    findByReference: (reference: string) => toRecord(byReference.get(reference)),
    insertStarted(payment: ProcessorPayment, fingerprint: string, startedAt: Date): PaymentRecord {
      insert.run(payment.id, fingerprint, JSON.stringify(payment), startedAt.getTime(), null);
      return toRecord(byId.get(payment.id)) as PaymentRecord;
    },
    insertCanceled(id: string, state: PaymentState) {
      insert.run(id, null, null, null, JSON.stringify(state));
    },
    saveState(id: string, state: PaymentState, { isLast, callback }: SaveOptions) {
      inTransaction(database, () => {
        update.run(JSON.stringify(state), state.reference, Number(isLast), id);
        if (!callback) return;
        const { id: eventId, body, createdAtMs } = callback;
        insertCallback.run(eventId, id, body, createdAtMs, createdAtMs);
      });
    },
  };
}

function callbacksTable(database: DatabaseSync) {
  const due = database.prepare('SELECT * FROM callbacks WHERE due_at <= ? ORDER BY due_at LIMIT ?');
  const postpone = database.prepare(
    'UPDATE callbacks SET failed_attempts = failed_attempts + 1, due_at = ? WHERE id = ?',
  );
  const remove = database.prepare('DELETE FROM callbacks WHERE id = ?');
  return {
    dueCallbacks: (nowMs: number, limit: number) => due.all(nowMs, limit).map(toCallback),
    postponeCallback(id: string, dueAtMs: number) {
      postpone.run(dueAtMs, id);
    },
    deleteCallback(id: string) {
      remove.run(id);
    },
  };
}

function inTransaction(database: DatabaseSync, write: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    write();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

type Row = Record<string, unknown>;

function toRecord(row: Row | undefined): PaymentRecord | null {
  if (!row) return null;
  const startedAtMs = row['first_started_at'] as number | null;
  return {
    id: row['id'] as string,
    fingerprint: row['fingerprint'] as string | null,
    payment: JSON.parse((row['payment'] as string | null) ?? 'null'),
    firstStartedAt: startedAtMs === null ? null : new Date(startedAtMs),
    state: JSON.parse((row['state'] as string | null) ?? 'null'),
  };
}

function toCallback(row: Row): PendingCallback {
  return {
    id: row['id'] as string,
    paymentId: row['payment_id'] as string,
    body: row['body'] as string,
    createdAtMs: row['created_at'] as number,
    failedAttempts: row['failed_attempts'] as number,
    dueAtMs: row['due_at'] as number,
  };
}
