import type { BusLogger } from '../src/logger.ts';

export interface RecordingLogger extends BusLogger {
  messages: string[];
  errors: unknown[];
}

/** Keeps log entries instead of writing them. */
export function createRecordingLogger(): RecordingLogger {
  const messages: string[] = [];
  const errors: unknown[] = [];
  const record = (fields: object, message: string) => {
    messages.push(message);
    if ('err' in fields) errors.push(fields.err);
  };
  return { messages, errors, info: record, warn: record, error: record };
}
