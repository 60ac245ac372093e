import { type Logger as Pino, pino } from 'pino';
import type { Logger } from './logger.ts';

const { streamSym, chindingsSym } = pino.symbols as { streamSym: symbol; chindingsSym: symbol };

let timeMs = -1;
let time = '';

/**
 * Writes the line that `logger.info(fields, message)` would write, at a quarter of its cost. For a line of every request, whose fields
 * are allowed, are JSON already, and cannot contain a credential: they are written as they are.
 * @param json the fields, each with a comma in front of it, such as `,"status":200`
 */
export function writeInfoLine(logger: Logger, json: string, message: string): void {
  const target = logger as unknown as Pino & Record<symbol, unknown>;
  if (!target.isLevelEnabled('info')) return;
  const stream = target[streamSym] as { write(line: string): void };
  stream.write(`{"level":"info","time":"${isoTime()}"${target[chindingsSym]}${json},"msg":"${message}"}\n`);
}

/** The text changes once a millisecond. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs !== timeMs) {
    timeMs = nowMs;
    time = new Date(nowMs).toISOString();
  }
  return time;
}
