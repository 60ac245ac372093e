import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { UsageRecord } from './usage-record.ts';
import type { OpenWindow, UsageSpool } from './usage-spool.ts';
import { createWindowCounts, type WindowCounts } from './window-counts.ts';
import { firstLineOf, linesOf } from './window-file.ts';

const WINDOW_MS = 1_000;

export interface UsageRecorder {
  /**
   * Records a request. `noted` is called when the record is on file, before the next turn of the event loop. Send the
   * response then, so that a process that dies loses no request that got a response.
   */
  record(record: UsageRecord, noted?: () => void): void;
  /** Closes the open window, if any. Nothing is recorded afterwards. */
  stop(): void;
}

interface CurrentWindow {
  open: OpenWindow;
  at: Date;
  counts: WindowCounts;
}

/**
 * Counts requests in windows of one second, or `windowMs`, and writes each record before the response is sent: one write for all
 * records of one turn of the event loop. `onClosed` gets each finished window.
 */
export function createUsageRecorder(deps: {
  spool: UsageSpool;
  clock: Clock;
  logger: Logger;
  onClosed: (number: number, window: { at: Date; counts: WindowCounts }) => void;
  /** Requests get their response even if the record cannot be written: payments matter more than their count. */
  onWriteFailure: () => void;
  windowMs?: number;
}): UsageRecorder {
  const { spool, clock, logger, onClosed, onWriteFailure, windowMs = WINDOW_MS } = deps;
  let current: CurrentWindow | null = null;
  let lines = '';
  let waiting: (() => void)[] = [];
  let isFlushDue = false;
  let closing: NodeJS.Timeout | undefined;

  function openWindow(): CurrentWindow {
    const at = new Date(Math.floor(clock.now() / windowMs) * windowMs);
    // Before the timer starts: if the file fails to open, a leftover timer would close a later window early.
    const open = spool.openNext();
    lines = firstLineOf(at);
    closing = setTimeout(closeWindow, windowMs);
    closing.unref();
    return { open, at, counts: createWindowCounts() };
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
    // The file may end within a line now, so nothing may be appended.
    if (!writeOrReport()) closeWindow();
    const noted = waiting;
    waiting = [];
    for (const response of noted) response();
  }

  function note(record: UsageRecord): void {
    if (current?.counts.isFull()) closeWindow();
    current ??= openWindow();
    lines += linesOf(record.caller, current.counts.add(record));
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
