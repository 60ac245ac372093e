import { randomBytes } from 'node:crypto';
import { type Document, double, Long } from './bson/document.ts';
import { mongoError } from './bson/mongo-error.ts';

/** Documents of a batch go out together up to this size; one document alone may exceed it. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** What `find` and `aggregate` answer with first unless told otherwise, as mongod. */
export const DEFAULT_FIRST_BATCH = 101;
const IDLE_TIMEOUT_MS = 10 * 60_000;
const SWEEP_INTERVAL_MS = 30_000;

/** A cursor reply: the documents as stored BSON, passed on without decoding. */
export interface CursorBatch {
  batchName: 'firstBatch' | 'nextBatch';
  documents: Uint8Array[];
  /** 0 when there is no more. */
  cursorId: Long;
  namespace: string;
  /** The fields after `cursor`. */
  rest: Document;
}

export interface CursorRegistry {
  /** Answers the first batch and keeps the rest for getMore, unless `singleBatch` or there is none. */
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

interface Cursor {
  namespace: string;
  documents: Iterator<Uint8Array>;
  /** Read already, but not fitting the batch before. */
  held: Uint8Array | undefined;
  noTimeout: boolean;
  usedAt: number;
}

const NO_CURSOR = Long.ZERO;

export function createCursorRegistry(now: () => number = Date.now): CursorRegistry {
  const cursors = new Map<string, Cursor>();
  const sweep = setInterval(dropIdle, SWEEP_INTERVAL_MS);
  sweep.unref();

  function dropIdle(): void {
    for (const [id, cursor] of cursors) {
      if (!cursor.noTimeout && now() - cursor.usedAt > IDLE_TIMEOUT_MS) cursors.delete(id);
    }
  }

  return {
    open({ namespace, documents, batchSize, singleBatch = false, noTimeout = false }) {
      const cursor: Cursor = { namespace, documents, held: undefined, noTimeout, usedAt: now() };
      const { batch, isExhausted } = readBatch(cursor, batchSize ?? DEFAULT_FIRST_BATCH);
      if (isExhausted || singleBatch) return reply('firstBatch', batch, NO_CURSOR, namespace);
      const id = newCursorId(cursors);
      cursors.set(id.toString(), cursor);
      return reply('firstBatch', batch, id, namespace);
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
        const { batch, isExhausted } = readBatch(cursor, batchSize || Number.POSITIVE_INFINITY);
        if (isExhausted) cursors.delete(id.toString());
        return reply('nextBatch', batch, isExhausted ? NO_CURSOR : id, namespace);
      } catch (error) {
        cursors.delete(id.toString());
        throw error;
      }
    },

    kill: (id) => cursors.delete(id.toString()),
    killAll: () => cursors.clear(),
    get openCount() {
      return cursors.size;
    },
    close() {
      clearInterval(sweep);
      cursors.clear();
    },
  };
}

/** Reads one document more than it gives, so that the last batch already says that it is the last. */
function readBatch(cursor: Cursor, size: number): { batch: Uint8Array[]; isExhausted: boolean } {
  const batch: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    let document = cursor.held;
    cursor.held = undefined;
    if (document === undefined) {
      const next = cursor.documents.next();
      if (next.done) return { batch, isExhausted: true };
      document = next.value;
    }
    bytes += document.length;
    if (batch.length >= size || (batch.length > 0 && bytes > MAX_BATCH_BYTES)) {
      cursor.held = document;
      return { batch, isExhausted: false };
    }
    batch.push(document);
  }
}

function reply(
  batchName: CursorBatch['batchName'],
  documents: Uint8Array[],
  cursorId: Long,
  namespace: string,
): CursorBatch {
  return { batchName, documents, cursorId, namespace, rest: new Map([['ok', double(1)]]) };
}

/** Positive, never 0, and not to be guessed by another client. */
function newCursorId(taken: ReadonlyMap<string, Cursor>): Long {
  for (;;) {
    const bytes = randomBytes(8);
    const id = new Long(bytes.readInt32LE(0), bytes.readInt32LE(4) & 0x7fffffff);
    if (!id.isZero() && !taken.has(id.toString())) return id;
  }
}
