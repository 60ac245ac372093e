import { Worker } from 'node:worker_threads';
import { cancel, type FromReader, noCancelledReads, type ReaderData, type ToReader } from './messages.ts';

/** One thread that runs reads, one after the other. */
export interface Reader {
  /**
   * Resolves with the reply as BSON; rejects if the thread ends before it has replied.
   * @param cancelled ends the read early, with an error reply
   */
  run(body: Uint8Array, cancelled?: AbortSignal): Promise<Uint8Array>;
  holdsCursor(id: string): boolean;
  killCursor(id: string): void;
  readonly openCursors: number;
  /** Reads that it has not completed yet. */
  readonly unanswered: number;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** The data file. */
  path: string;
  program: URL;
  /** Told once the thread has ended, for whatever reason. */
  onEnd: () => void;
}

/** A read that needs more ends its thread, and nothing else. */
const MAX_HEAP_MB = 512;
/** Documents that have been passed over are given back after so much, not only when there are far more of them. */
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

  const tell = (message: ToReader) => thread.postMessage(message);
  return {
    async run(body, cancelled) {
      lastNumber += 1;
      const number = lastNumber;
      const cancelThis = () => cancel(cancelledReads, number);
      cancelled?.addEventListener('abort', cancelThis);
      try {
        return await new Promise<Uint8Array>((resolve, reject) => {
          pending.set(number, { resolve, reject });
          tell({ kind: 'run', number, body });
        });
      } finally {
        cancelled?.removeEventListener('abort', cancelThis);
      }
    },
    holdsCursor: (id) => cursors.has(id),
    killCursor(id) {
      cursors.delete(id);
      tell({ kind: 'killCursor', cursor: id });
    },
    get openCursors() {
      return cursors.size;
    },
    get unanswered() {
      return pending.size;
    },
    async close() {
      await thread.terminate();
    },
  };
}
