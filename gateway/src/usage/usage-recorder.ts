import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { UsageRecord } from './usage-record.ts';
import type { OpenWindow, UsageSpool } from './usage-spool.ts';
import { createWindowCounts, type WindowCounts } from './window-counts.ts';
import { createWindowWriter } from './window-file.ts';

const WINDOW_MS = 1_000;

export interface UsageRecorder {
  /**
   * Notes a request; `noted` is called when the note is on file, which is before the next turn of the event loop: respond then, so that no
   * completed request is lost with the process.
   */
  record(record: UsageRecord, noted?: () => void): void;
  /** Closes the window that is open, if any. Nothing is recorded any more. */
  stop(): void;
}

interface CurrentWindow {
  open: OpenWindow;
  at: Date;
  counts: WindowCounts;
  linesOf: (record: UsageRecord) => string;
}

/**
 * Counts requests by windows of a second, and writes each down before it is completed: all of one turn of the event loop in one write. `onClosed` gets
 * each finished window.
 */
export function createUsageRecorder(deps: {
  spool: UsageSpool;
  clock: Clock;
  logger: Logger;
  onClosed: (number: number, window: { at: Date; counts: WindowCounts }) => void;
  /** A note that could not be written is completed all the same: payments matter more than their count. */
  onWriteFailure: () => void;
}): UsageRecorder {
  const { spool, clock, logger, onClosed, onWriteFailure } = deps;
  let current: CurrentWindow | null = null;
  let lines = '';
  let waiting: (() => void)[] = [];
  let isFlushDue = false;
  let closing: NodeJS.Timeout | undefined;

  function openWindow(): CurrentWindow {
    const at = new Date(Math.floor(clock.now() / WINDOW_MS) * WINDOW_MS);
    const { firstLine, linesOf } = createWindowWriter(at);
    // Before the timer: a file that cannot be opened must not leave one behind that closes a later window early.
    const open = spool.openNext();
    lines = firstLine;
    closing = setTimeout(closeWindow, WINDOW_MS);
    closing.unref();
    return { open, at, counts: createWindowCounts(), linesOf };
  }

  function write(): void {
    if (lines === '' || !current) return;
    const text = lines;
    lines = '';
    current.open.append(text);
  }

  function closeWindow(): void {
    if (!current) return;
    clearTimeout(closing);
    const { open, at, counts } = current;
    writeOrReport();
    current = null;
    open.close();
    onClosed(open.number, { at, counts });
  }

  function writeOrReport(): boolean {
    try {
      write();
      return true;
    } catch (error) {
      onWriteFailure();
      logger.error({ err: error }, 'failed to write usage to disk; it is lost if the gateway crashes now');
      return false;
    }
  }

  function flush(): void {
    isFlushDue = false;
    // Its file may end within a line now: nothing may follow.
    if (!writeOrReport()) closeWindow();
    const noted = waiting;
    waiting = [];
    for (const answer of noted) answer();
  }

  function note(record: UsageRecord): void {
    if (current?.counts.isFull()) closeWindow();
    current ??= openWindow();
    current.counts.add(record);
    const { caller, operation, outcome, question } = record;
    if (question) current.counts.ask({ ...caller, operation, outcome, ...question });
    lines += current.linesOf(record);
  }

  return {
    record(record, noted) {
      try {
        note(record);
      } catch (error) {
        onWriteFailure();
        logger.error({ err: error }, 'failed to count a request');
      }
      if (noted) waiting.push(noted);
      if (isFlushDue) return;
      isFlushDue = true;
      setImmediate(flush);
    },
    stop() {
      flush();
      closeWindow();
    },
  };
}
