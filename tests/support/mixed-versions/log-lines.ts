const ERROR_LEVELS = ['error', 'fatal'];
/** Warnings about a message that a consumer cannot handle, or has dropped. */
const OF_A_MESSAGE = /\bmessage\b/;

/** A line that a process has logged. Text that is no log line, such as a stack trace of Node, has the level `fatal`. */
export interface LogLine {
  process: string;
  level: string;
  message: string;
}

export function parseLog(process: string, output: string): LogLine[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseLine(process, line));
}

function parseLine(process: string, line: string): LogLine {
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level: string;
      msg: string;
      err?: { message?: string };
    };
    return { process, level, message: err?.message === undefined ? msg : `${msg}: ${err.message}` };
  } catch {
    return { process, level: 'fatal', message: line };
  }
}

/** Errors, and warnings about messages, once each. */
export function loggedErrors(lines: LogLine[]): string[] {
  const errors = lines.filter(
    ({ level, message }) => ERROR_LEVELS.includes(level) || (level === 'warn' && OF_A_MESSAGE.test(message)),
  );
  return [...new Set(errors.map(({ process, level, message }) => `${process}, ${level}: ${message}`))];
}
