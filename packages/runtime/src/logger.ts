import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/**
 * The only fields of a log line. Any other field is omitted and its name is listed in `dropped`, so that a body, header, or secret in a
 * log call never reaches the disk by accident. Paths are not in the list: those of invitations and password resets contain a token.
 */
const ALLOWED_FIELDS = new Set([
  'action',
  'address',
  'application_id',
  'attempt',
  'bucket',
  'check',
  'code',
  'count',
  'delivery_id',
  'durable',
  'duration_ms',
  'endpoint_id',
  'environment',
  'err',
  'event_id',
  'event_type',
  'head',
  'host',
  'instance_id',
  'key',
  'key_id',
  'limit',
  'lookup_id',
  'member_id',
  'method',
  'operation',
  'payment_id',
  'pid',
  'port',
  'processor',
  'reason',
  'request_id',
  'retry_delay_ms',
  'route',
  'sequence',
  'signal',
  'state',
  'status',
  'step',
  'stream',
  'subject',
  'task',
  'team_id',
  'trace_id',
  'upstream',
  'url',
  'version',
]);

/** JSON lines with `time`, `level`, `service`, `msg` and allow-listed fields. */
export function createLogger(options: {
  service: string;
  level?: string;
  destination?: DestinationStream;
  /** Writes each line before the call returns, so that the lines before an exit are complete and in order. For processes that log little. */
  isSynchronous?: boolean;
}): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowListed },
      serializers: { err: describeError },
    },
    options.destination ?? pino.destination({ dest: 1, sync: options.isSynchronous ?? false }),
  );
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

/** Type, message, code and stack alone: errors of drivers and clients carry requests, documents and URLs with passwords. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutCredentials(String(error)) };
  const described: Record<string, unknown> = {
    type: error.name,
    message: withoutCredentials(error.message),
    stack: withoutCredentials(error.stack ?? ''),
  };
  if ('code' in error) described['code'] = error.code;
  if (error.cause !== undefined) described['cause'] = describeError(error.cause);
  return described;
}

const API_KEY = /tg_(live|sandbox)_([0-9A-Za-z]{16})_[0-9A-Za-z]+/g;
const URL_PASSWORD = /(\w+:\/\/[^:@/\s]*):[^@/\s]+@/g;

function withoutCredentials(text: string): string {
  return text.replace(API_KEY, 'tg_$1_$2_***').replace(URL_PASSWORD, '$1:***@');
}
