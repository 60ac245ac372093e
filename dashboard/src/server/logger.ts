import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/**
 * The only fields that may stand in a log line; the names of others are listed in `dropped`. Paths are not among them:
 * those of invitations and password resets hold a token, so a request is logged by its route.
 */
const ALLOWED_FIELDS = new Set([
  'address',
  'code',
  'duration_ms',
  'err',
  'host',
  'method',
  'reason',
  'request_id',
  'route',
  'signal',
  'status',
  'step',
  'url',
]);

/** JSON lines with `time`, `level`, `service`, `msg` and allow-listed fields. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service: 'dashboard' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowListed },
      serializers: { err: describeError },
    },
    // Synchronous: else the last lines before the exit come out of order, after a fatal error among them.
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

function allowListed(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields);
  const dropped = entries.filter(([name]) => !ALLOWED_FIELDS.has(name)).map(([name]) => name);
  const kept = Object.fromEntries(entries.filter(([name]) => ALLOWED_FIELDS.has(name)));
  return dropped.length > 0 ? { ...kept, dropped } : kept;
}

/** Type, message, code and stack alone: errors of clients carry requests with their headers. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const described: Record<string, unknown> = {
    type: error.name,
    message: error.message,
    stack: error.stack,
  };
  if ('code' in error) described['code'] = error.code;
  if (error.cause !== undefined) described['cause'] = describeError(error.cause);
  return described;
}
