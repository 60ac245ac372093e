import Type, { type Static } from 'typebox';
import { EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import { Signature } from '../platform/signature.ts';
import { LOGGED_ERROR_LIMITS, LoggedError } from './logged-error.ts';

export const USAGE_OPERATIONS = ['create_payment', 'read_payment', 'cancel_payment'] as const;
export type UsageOperation = (typeof USAGE_OPERATIONS)[number];

/** The request of each operation. */
export const OPERATION_REQUESTS = {
  create_payment: { method: 'POST', path: '/v1/payments' },
  read_payment: { method: 'GET', path: '/v1/payments/:payment_id' },
  cancel_payment: { method: 'POST', path: '/v1/payments/:payment_id/cancel' },
} as const satisfies Record<UsageOperation, { method: 'GET' | 'POST'; path: string }>;

/**
 * Outcome of a request; each request has exactly one. `replayed`: a 2xx that changed nothing, because an earlier
 * request had done it (an idempotent replay, a payment that was already canceled); `rate_limited`: 429; `client_error`:
 * any other 4xx; `aborted`: the client disconnected before the response.
 */
export const USAGE_OUTCOMES = [
  'succeeded',
  'replayed',
  'client_error',
  'rate_limited',
  'server_error',
  'aborted',
] as const;
export type UsageOutcome = (typeof USAGE_OUTCOMES)[number];

const Caller = {
  team_id: Id('team'),
  application_id: Id('application'),
  key_id: Id('apiKey'),
  environment: EnvironmentSchema,
};
const Dimensions = { ...Caller, operation: Type.Enum(USAGE_OPERATIONS), outcome: Type.Enum(USAGE_OUTCOMES) };

export const USAGE_LIMITS = {
  /** A busier second is split into several windows, so that a message stays far below NATS's limit. */
  rowsPerWindow: 1_000,
  /** Pairs in one row's latency. A histogram has fewer buckets than this. */
  bucketsPerRow: 1_024,
  /** Requests in the log of a window. A line has less than 250 bytes, so that the log stays below half of NATS's limit. */
  loggedPerWindow: 2_000,
  /** Errors of rejected requests in the log of a window: together at most a fifth of NATS's limit. */
  errorsPerWindow: 1_000,
  openQuestionsPerWindow: 500,
  rowsPerReply: 2_000,
  /** Points in time per query: five weeks of hours, 33 hours of minutes. */
  pointsPerQuery: 2_000,
} as const;

/** Requests in a window with the same dimensions. */
export const UsageWindowRow = Type.Object({
  ...Dimensions,
  requests: Type.Integer({ minimum: 1 }),
  /** `[bucket, requests]` by increasing bucket: the durations as a log-linear histogram of microseconds (see log-linear-histogram). */
  latency: Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 1 })]), {
    maxItems: USAGE_LIMITS.bucketsPerRow,
  }),
});
export type UsageWindowRow = Static<typeof UsageWindowRow>;

/**
 * A request whose effect the gateway does not know, or that changed a payment on a different day (UTC) than the one it
 * is counted on. Reconciliation looks it up at payments by its id.
 */
export const OpenQuestion = Type.Object({
  request_id: Id('request'),
  ...Dimensions,
  /** When the response was sent or the request aborted. */
  at: Time,
  reason: Type.Enum(['server_error', 'aborted', 'other_day'] as const),
});
export type OpenQuestion = Static<typeof OpenQuestion>;

/**
 * The requests of a window one by one, for the request log. Contains those that are counted, and some whose API key was
 * rejected, which are not.
 */
export const WindowLog = Type.Object({
  callers: Type.Array(Type.Object(Caller), { maxItems: USAGE_LIMITS.loggedPerWindow }),
  /** See request-line. */
  lines: Type.Array(Type.String({ maxLength: 250 }), { maxItems: USAGE_LIMITS.loggedPerWindow }),
  /** The errors of requests that were rejected because of single fields. Gateways of the previous release write none. */
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        /** Index of the request in `lines`. */
        line: Type.Integer({ minimum: 0 }),
        errors: Type.Array(LoggedError, { maxItems: LOGGED_ERROR_LIMITS.perRequest }),
      }),
      { maxItems: USAGE_LIMITS.loggedPerWindow },
    ),
  ),
});
export type WindowLog = Static<typeof WindowLog>;

/**
 * Requests that one gateway instance counted in one second or less. `gateway_id` and `number` identify it permanently:
 * the same number always has the same content. Windows without requests do not exist.
 */
export const UsageWindow = Type.Object({
  gateway_id: Id('gatewayInstance'),
  number: Type.Integer({ minimum: 1 }),
  /** Its second (UTC). */
  at: Time,
  /** Empty if the window has only requests that are not counted. */
  rows: Type.Array(UsageWindowRow, { maxItems: USAGE_LIMITS.rowsPerWindow }),
  open_questions: Type.Array(OpenQuestion, { maxItems: USAGE_LIMITS.openQuestionsPerWindow }),
  log: WindowLog,
  /** Signature of the gateway. Absent until it publishes the window. */
  signature: Type.Optional(Signature),
});
export type UsageWindow = Static<typeof UsageWindow>;

/** Unique name of a window across all gateways: the id of its message and its document. */
export function usageWindowId({ gateway_id, number }: Pick<UsageWindow, 'gateway_id' | 'number'>): string {
  return `${gateway_id}/${number}`;
}

export const USAGE_GRANULARITIES = ['minute', 'hour', 'day'] as const;
export type UsageGranularity = (typeof USAGE_GRANULARITIES)[number];

/** Dimensions by which rows can be grouped, in this order. */
export const USAGE_GROUPS = ['application', 'key', 'environment', 'operation', 'outcome'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const { team_id: _, ...rowDimensions } = Dimensions;

const Counts = {
  requests: Type.Integer({ minimum: 0 }),
  succeeded: Type.Integer({ minimum: 0 }),
  replayed: Type.Integer({ minimum: 0 }),
  client_errors: Type.Integer({ minimum: 0 }),
  rate_limited: Type.Integer({ minimum: 0 }),
  server_errors: Type.Integer({ minimum: 0 }),
  aborted: Type.Integer({ minimum: 0 }),
  /** Null without requests. At most 2 % off. */
  p50_ms: Nullable(Type.Number({ minimum: 0 })),
  p95_ms: Nullable(Type.Number({ minimum: 0 })),
  p99_ms: Nullable(Type.Number({ minimum: 0 })),
};

/** Usage of one group over an entire period. Dimensions that are not grouped by are absent. */
export const UsageTotal = Type.Object({ ...Type.Partial(Type.Object(rowDimensions)).properties, ...Counts });
export type UsageTotal = Static<typeof UsageTotal>;

/** Usage of one group in one minute, hour, or day, which starts at `at` (UTC). Times without requests have no row. */
export const UsageRow = Type.Object({ at: Time, ...UsageTotal.properties });
export type UsageRow = Static<typeof UsageRow>;

export const KeyUse = Type.Object({ key_id: Id('apiKey'), last_used_at: Time });
export type KeyUse = Static<typeof KeyUse>;
