import { pino } from 'pino';

/** More lines are dropped, because a reader that stalls must not exhaust the memory. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;

export type LogOutput = ReturnType<typeof createLogOutput>;

/** Standard output, for log lines. */
export function createLogOutput(options: { isSynchronous: boolean }) {
  return pino.destination({ dest: 1, sync: options.isSynchronous, maxLength: MAX_UNWRITTEN_BYTES });
}

/** Logs how many lines were dropped, once all others are written. */
export function reportDroppedLines(
  output: LogOutput,
  logger: { warn(fields: { count: number }, message: string): void },
): void {
  let count = 0;
  output.on('drop', (lines: string) => {
    count += lines.split('\n').length - 1;
  });
  output.on('drain', () => {
    if (count === 0) return;
    logger.warn({ count }, 'log lines were dropped because the reader of standard output stalled');
    count = 0;
  });
}
