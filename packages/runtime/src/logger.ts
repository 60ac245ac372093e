import { currentTrace } from '@tollgate/tracing/current-trace';
import { type DestinationStream, pino } from 'pino';
import { createLogOutput, reportDroppedLines } from './log-output.ts';

const TEXT_FIELDS = [
  'action',
  'address',
  'application_id',
  'bucket',
  'check',
  'code',
  'delivery_id',
  'durable',
  'endpoint_id',
  'environment',
  'event_id',
  'event_type',
  'gateway_id',
  'host',
  'instance_id',
  'key',
  'key_id',
  'lookup_id',
  'member_id',
  'message_id',
  'method',
  'operation',
  'payment_id',
  'processor',
  'processor_call',
  'processor_status',
  'reason',
  'request_id',
  'route',
  'signal',
  'state',
  'step',
  'stream',
  'subject',
  'task',
  'team_id',
  'token_id',
  'trace_id',
  'upstream',
  'url',
  'window_at',
] as const;

/** Names include the unit. */
const NUMBER_FIELDS = [
  'attempt',
  'count',
  'duration_ms',
  'limit',
  'pid',
  'port',
  'retry_delay_ms',
  'sequence',
  'status',
] as const;

/**
 * The allowed fields of a log line. Any other field is a compile error. At run time, the logger omits it and lists its name
 * in `dropped`, so that it never writes a body, header, or secret by accident. Paths are not allowed, because those of
 * invitations and password resets contain a token.
 */
export type LogFields = { [name in (typeof TEXT_FIELDS)[number]]?: string | null | undefined } & {
  [name in (typeof NUMBER_FIELDS)[number]]?: number | null | undefined;
} & {
  err?: unknown;
  /** Version of a stored document or of a secret. */
  version?: number | string | undefined;
  /** A signed tree head. The log output is one of its witnesses. */
  head?: object | undefined;
};

const ALLOWED_FIELDS: ReadonlySet<string> = new Set([
  ...TEXT_FIELDS,
  ...NUMBER_FIELDS,
  'err',
  'version',
  'head',
]);

interface Log {
  (fields: LogFields, message: string): void;
  (message: string): void;
}

export interface Logger {
  fatal: Log;
  error: Log;
  warn: Log;
  info: Log;
  debug: Log;
  /** Returns a logger with its own level. */
  child(fields: LogFields, options: { level: string }): Logger;
}

/**
 * Writes JSON lines with `time`, `level`, `service`, `msg`, the `trace_id` of the current trace, and allow-listed fields, and without API
 * keys and API tokens.
 */
export function createLogger(options: {
  service: string;
  level?: string;
  destination?: DestinationStream;
  /** Writes each line before the call returns, so that the lines before an exit are complete and in order. For processes that log little. */
  isSynchronous?: boolean;
}): Logger {
  if (options.destination) return createPino(options, options.destination);
  const output = createLogOutput({ isSynchronous: options.isSynchronous ?? false });
  const logger = createPino(options, output);
  reportDroppedLines(output, logger);
  return logger;
}

function createPino(options: { service: string; level?: string }, destination: DestinationStream): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      mixin: traceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowListed },
      serializers: { err: describeError },
      // On the whole line, because callers put credentials where a field or an error message repeats them.
      hooks: { streamWrite: withoutCredentials },
    },
    destination,
  );
}

/** Each line that belongs to a trace names it. */
function traceFields(): { trace_id?: string } {
  const trace = currentTrace();
  return trace === null ? {} : { trace_id: trace.traceId };
}

function allowListed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const name of Object.keys(fields)) {
    if (ALLOWED_FIELDS.has(name)) kept[name] = fields[name];
    else dropped.push(name);
  }
  if (dropped.length > 0) kept['dropped'] = dropped;
  return kept;
}

/** Keeps only type, message, code, stack, and cause: errors of drivers and clients contain requests, documents, and passwords. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutUrlPasswords(String(error)) };
  const described: Record<string, unknown> = {
    type: error.name,
    message: withoutUrlPasswords(error.message),
    stack: withoutUrlPasswords(error.stack ?? ''),
  };
  if ('code' in error) described['code'] = error.code;
  if (error.cause !== undefined) described['cause'] = describeError(error.cause);
  return described;
}

/** A complete credential keeps its lookup id, which is public. An incomplete or mistyped credential is redacted entirely. */
const CREDENTIAL = /tg_(live|sandbox|admin)_([0-9A-Za-z]{16}_)?[0-9A-Za-z_]+/g;
const URL_PASSWORD = /(\w+:\/\/[^:@/\s]*):[^@/\s]+@/g;

function withoutCredentials(line: string): string {
  return line.replace(CREDENTIAL, 'tg_$1_$2***');
}

function withoutUrlPasswords(text: string): string {
  return text.replace(URL_PASSWORD, '$1:***@');
}
