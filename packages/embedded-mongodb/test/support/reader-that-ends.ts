import { parentPort } from 'node:worker_threads';

/** Replaces the reader thread: opens a cursor, replies to the first read, and ends at the second. */
let read = 0;

parentPort?.on('message', ({ number }: { number: number }) => {
  read += 1;
  if (read > 1) throw new Error('out of memory');
  parentPort?.postMessage({ kind: 'cursorOpened', cursor: '7' });
  parentPort?.postMessage({ kind: 'reply', number, reply: new Uint8Array([1]) });
});
