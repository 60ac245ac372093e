/** A read to be run; the request's body as BSON. */
export interface RunRead {
  kind: 'run';
  number: number;
  body: Uint8Array;
}

/** Cursors are named by their id in decimal. */
export interface KillCursor {
  kind: 'killCursor';
  cursor: string;
}

export type ToReader = RunRead | KillCursor;

/** What a thread is started with. */
export interface ReaderData {
  /** The data file. */
  path: string;
  cancelled: CancelledReads;
}

/** The numbers of reads that no client waits for, in memory that both threads see while a read runs. */
export type CancelledReads = Int32Array<SharedArrayBuffer>;

/** More than the reads that one thread has pending at a time. */
const MAX_PENDING = 4096;

export function noCancelledReads(): CancelledReads {
  return new Int32Array(new SharedArrayBuffer(MAX_PENDING * Int32Array.BYTES_PER_ELEMENT));
}

export function cancel(reads: CancelledReads, number: number): void {
  Atomics.store(reads, number % MAX_PENDING, number);
}

export function isCancelled(reads: CancelledReads, number: number): boolean {
  return Atomics.load(reads, number % MAX_PENDING) === number;
}

/** The reply as BSON, whole. */
export interface ReadReply {
  kind: 'reply';
  number: number;
  reply: Uint8Array;
}

export interface CursorOpened {
  kind: 'cursorOpened';
  cursor: string;
}

export interface CursorClosed {
  kind: 'cursorClosed';
  cursor: string;
}

export type FromReader = ReadReply | CursorOpened | CursorClosed;
