/** Requests a read. The body of the client's request is BSON. */
export interface RunRead {
  kind: 'run';
  number: number;
  body: Uint8Array;
}

/** Requests to close a cursor. The id is decimal. */
export interface KillCursor {
  kind: 'killCursor';
  cursor: string;
}

export type ToReader = RunRead | KillCursor;

/** The start parameters of a reader thread. */
export interface ReaderData {
  /** The data file. */
  path: string;
  cancelled: CancelledReads;
}

/** The numbers of canceled reads, in memory that both threads share so that a running read sees them. */
export type CancelledReads = Int32Array<SharedArrayBuffer>;

/** Exceeds the number of reads that one thread has pending at a time. */
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

/** The complete reply as BSON. */
export interface ReadReply {
  kind: 'reply';
  number: number;
  reply: Uint8Array;
}

export interface CursorChange {
  kind: 'cursorOpened' | 'cursorClosed';
  cursor: string;
}

export type FromReader = ReadReply | CursorChange;
