import { Worker } from 'node:worker_threads';
import { cancel, type FromReader, noCancelledReads, type ReaderData, type ToReader } from './messages.ts';

/** One thread that runs reads, one after the other. */
export interface Reader {
  /**
   * Resolves with the reply as BSON. Rejects if the thread ends before it replies.
   * @param cancelled ends the read early with an error reply
   */
  run(body: Uint8Array, cancelled?: AbortSignal): Promise<Uint8Array>;
  holdsCursor(id: string): boolean;
  killCursor(id: string): void;
  readonly openCursors: number;
  /** The number of reads without a reply. */
  readonly pendingReads: number;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** The data file. */
  path: string;
  program: URL;
  /** Called once when the thread ends, for any reason. */
  onEnd: () => void;
}

/** A read that needs more memory ends its thread, but not the server. */
const MAX_HEAP_MB = 512;
/** A small young generation frees scanned documents early. */
const MAX_YOUNG_HEAP_MB = 8;

interface Pending {
  resolve: (reply: Uint8Array) => void;
  reject: (reason: Error) => void;
}

export function startReader({ path, program, onEnd }: ReaderOptions): Reader {
  const cancelledReads = noCancelledReads();
  const workerData: ReaderData = { path, cancelled: cancelledReads };
  const thread = new Worker(program, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
  });
  const pending = new Map<number, Pending>();
  const cursors = new Set<string>();
  let lastNumber = 0;
  let failure: Error | undefined;

  thread.unref();
  thread.on('message', (message: FromReader) => {
    switch (message.kind) {
      case 'cursorOpened':
        cursors.add(message.cursor);
        return;
      case 'cursorClosed':
        cursors.delete(message.cursor);
        return;
      case 'reply':
        pending.get(message.number)?.resolve(message.reply);
        pending.delete(message.number);
    }
  });
  thread.on('error', (error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  thread.on('exit', (code) => {
    const reason = failure?.message ?? `exit code ${code}`;
    for (const { reject } of pending.values()) {
      reject(
        new Error(`the thread that ran this read has ended (${reason}); nothing was changed, try again`),
      );
    }
    pending.clear();
    cursors.clear();
    onEnd();
  });

  const send = (message: ToReader) => thread.postMessage(message);
  return {
    async run(body, cancelled) {
      lastNumber += 1;
      const number = lastNumber;
      const cancelThis = () => cancel(cancelledReads, number);
      cancelled?.addEventListener('abort', cancelThis);
      try {
        return await new Promise<Uint8Array>((resolve, reject) => {
          pending.set(number, { resolve, reject });
          send({ kind: 'run', number, body });
        });
      } finally {
        cancelled?.removeEventListener('abort', cancelThis);
      }
    },
    holdsCursor: (id) => cursors.has(id),
    killCursor(id) {
      cursors.delete(id);
      send({ kind: 'killCursor', cursor: id });
    },
    get openCursors() {
      return cursors.size;
    },
    get pendingReads() {
      return pending.size;
    },
    async close() {
      await thread.terminate();
    },
  };
}
