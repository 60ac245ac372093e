import { randomBytes } from 'node:crypto';
import { Long } from './bson/document.ts';
import { mongoError } from './bson/mongo-error.ts';
import { timeLeftMs, withTimeLimit } from './computation-limit.ts';
import type { ReadBudget } from './storage/read-budget.ts';

/** Documents of a batch go out together up to this size; one document alone may exceed it. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** What `find` and `aggregate` reply with first unless told otherwise, as mongod. */
const DEFAULT_FIRST_BATCH = 101;
const IDLE_TIMEOUT_MS = 10 * 60_000;
const SWEEP_INTERVAL_MS = 30_000;

/** A cursor reply: the documents as stored BSON, passed on without decoding. */
export interface CursorBatch {
  batchName: 'firstBatch' | 'nextBatch';
  documents: Uint8Array[];
  /** 0 when there is no more. */
  cursorId: Long;
  namespace: string;
}

export interface CursorRegistry {
  /** Returns the first batch and keeps the rest for getMore, unless `singleBatch` or there is none. */
  open(options: OpenCursor): CursorBatch;
  /** @throws CursorNotFound, and Unauthorized when the cursor belongs to another namespace. */
  next(id: Long, namespace: string, batchSize: number | undefined): CursorBatch;
  /** Says whether there was such a cursor. */
  kill(id: Long): boolean;
  killAll(): void;
  readonly openCount: number;
  close(): void;
}

export interface OpenCursor {
  namespace: string;
  documents: Iterator<Uint8Array>;
  batchSize: number | undefined;
  singleBatch?: boolean;
  noTimeout?: boolean;
}

export interface CursorRegistryOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /**
   * Given: results are read at once and kept; there are no more of them than the budget allows. Absent: they are
   * read when they are asked for.
   */
  budget?: ReadBudget;
  onOpened?: (id: Long) => void;
  onClosed?: (id: Long) => void;
}

/** The documents that are not in a batch yet. */
interface Results {
  documents: Iterator<Uint8Array>;
  /** Read already, but not fitting the batch before. */
  held: Uint8Array | undefined;
}

interface Cursor extends Results {
  id: Long;
  namespace: string;
  noTimeout: boolean;
  usedAt: number;
  /** What is left of the `maxTimeMS` of the command that opened it; Infinity without one. */
  timeLeftMs: number;
  /** Throw once what the results come from is dropped. */
  reliesOn: readonly (() => void)[];
}

const NO_CURSOR = Long.ZERO;

export function createCursorRegistry(options: CursorRegistryOptions = {}): CursorRegistry {
  const { now = Date.now, budget, onOpened, onClosed } = options;
  const cursors = new Map<string, Cursor>();
  const sweep = setInterval(dropIdle, SWEEP_INTERVAL_MS);
  sweep.unref();

  function dropIdle(): void {
    for (const { id, noTimeout, usedAt } of cursors.values()) {
      if (!noTimeout && now() - usedAt > IDLE_TIMEOUT_MS) close(id);
    }
  }

  function close(id: Long): boolean {
    const isThere = cursors.delete(id.toString());
    if (isThere) onClosed?.(id);
    return isThere;
  }

  return {
    open({ namespace, documents, batchSize, singleBatch = false, noTimeout = false }) {
      const results: Results = { documents, held: undefined };
      const { batch, isExhausted } = readBatch(results, batchSize ?? DEFAULT_FIRST_BATCH);
      const reply = { batchName: 'firstBatch', documents: batch, namespace } as const;
      if (isExhausted || singleBatch) return { ...reply, cursorId: NO_CURSOR };
      const id = newCursorId(cursors);
      if (budget !== undefined) results.documents = readAhead(documents, budget);
      const cursor: Cursor = {
        ...results,
        id,
        namespace,
        noTimeout,
        usedAt: now(),
        timeLeftMs: timeLeftMs(),
        reliesOn: budget?.reliedOn() ?? [],
      };
      cursors.set(id.toString(), cursor);
      onOpened?.(id);
      return { ...reply, cursorId: id };
    },

    next(id, namespace, batchSize) {
      const cursor = cursors.get(id.toString());
      if (cursor === undefined) throw mongoError('CursorNotFound', `cursor id ${id} not found`);
      if (cursor.namespace !== namespace) {
        throw mongoError(
          'Unauthorized',
          `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
        );
      }
      cursor.usedAt = now();
      try {
        for (const assertThere of cursor.reliesOn) assertThere();
        const { batch, isExhausted } = withTimeLimit(cursor.timeLeftMs, () => {
          const read = readBatch(cursor, batchSize || Number.POSITIVE_INFINITY);
          cursor.timeLeftMs = timeLeftMs();
          return read;
        });
        if (isExhausted) close(id);
        const cursorId = isExhausted ? NO_CURSOR : id;
        return { batchName: 'nextBatch', documents: batch, cursorId, namespace };
      } catch (error) {
        close(id);
        throw error;
      }
    },

    kill: close,
    killAll() {
      for (const { id } of cursors.values()) close(id);
    },
    get openCount() {
      return cursors.size;
    },
    close() {
      clearInterval(sweep);
      cursors.clear();
    },
  };
}

/** What is left of the results, read now. */
function readAhead(documents: Iterator<Uint8Array>, budget: ReadBudget): Iterator<Uint8Array> {
  const rest: Uint8Array[] = [];
  for (let next = documents.next(); !next.done; next = documents.next()) {
    budget.spend(next.value.length);
    rest.push(next.value);
  }
  return rest.values();
}

/** Reads one document more than it gives, so that the last batch already says that it is the last. */
function readBatch(results: Results, size: number): { batch: Uint8Array[]; isExhausted: boolean } {
  const batch: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    let document = results.held;
    results.held = undefined;
    if (document === undefined) {
      const next = results.documents.next();
      if (next.done) return { batch, isExhausted: true };
      document = next.value;
    }
    bytes += document.length;
    if (batch.length >= size || (batch.length > 0 && bytes > MAX_BATCH_BYTES)) {
      results.held = document;
      return { batch, isExhausted: false };
    }
    batch.push(document);
  }
}

/** Positive, never 0, and not to be guessed by another client. */
function newCursorId(taken: ReadonlyMap<string, Cursor>): Long {
  for (;;) {
    const bytes = randomBytes(8);
    const id = new Long(bytes.readInt32LE(0), bytes.readInt32LE(4) & 0x7fffffff);
    if (!id.isZero() && !taken.has(id.toString())) return id;
  }
}
