import Type, { type Static } from 'typebox';
import { PAYMENT_EVENT_TYPES } from '../payments/events.ts';
import { DAY_S } from '../platform/durations.ts';
import { EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import { ALL_EVENT_TYPES } from './all-event-types.ts';

export const WEBHOOK_LIMITS = {
  /** In its normal form, which percent-encodes and is what is stored and requested. */
  url: 2048,
  description: 255,
  disableReason: 255,
  endpointsPerApplication: 50,
  endpointsPerTeam: 500,
  /** Deleted endpoints are kept while a delivery shows their URL. */
  deletedEndpointsPerTeam: 1_000,
  /** Bytes of a response that are read and stored. */
  responseBytes: 16 * 1024,
  /** A delivery keeps its newest attempts, up to this number. */
  storedAttempts: 20,
  /** Deliveries that one request resends. */
  resentAtOnce: 100,
  /** A count of a recovery ends here. */
  recoveryCount: 1_000,
  /** Characters of the header and the body in a signature check. Requests of the admin API are limited to 128 KiB. */
  checkedHeader: 2048,
  checkedBody: 100_000,
} as const;

/** How long the old secret signs in addition to the new one: 0 s to 7 days. */
export const MAX_SECRET_OVERLAP_S = 7 * DAY_S;
export const DEFAULT_SECRET_OVERLAP_S = DAY_S;

const SUBSCRIBABLE_TYPES = [ALL_EVENT_TYPES, ...PAYMENT_EVENT_TYPES] as const;
export type Subscription = readonly (typeof SUBSCRIBABLE_TYPES)[number][];

export const EventTypes = Type.Array(Type.Enum(SUBSCRIBABLE_TYPES), {
  minItems: 1,
  maxItems: SUBSCRIBABLE_TYPES.length,
  uniqueItems: true,
  description: '`*`: every event type, including those that are added later',
});

/**
 * Who or what disabled an endpoint. `member`: a member or an API token; `gone`: it returned 410; `asked`: it returned
 * `webhook-delivery: disable`; `failing`: it accepted nothing for days.
 */
export const DISABLED_BY = ['member', 'gone', 'asked', 'failing'] as const;

export const WebhookEndpoint = Type.Object({
  id: Id('webhookEndpoint'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  url: Type.String(),
  description: Type.String(),
  event_types: Type.Array(Type.Enum(SUBSCRIBABLE_TYPES), { description: '`*` alone: every event type' }),
  status: Type.Enum(['enabled', 'disabled'] as const),
  /** Null while the endpoint is enabled. */
  disabled: Nullable(Type.Object({ by: Type.Enum(DISABLED_BY), reason: Nullable(Type.String()), at: Time })),
  /** Time of the first failure since the last success; null while the endpoint works. */
  failing_since: Nullable(Time),
  /** When the endpoint will be disabled unless it accepts a delivery before; null if that is not imminent. */
  disables_at: Nullable(Time),
  /** When the next delivery is attempted while the endpoint is unreachable; null while it is reachable. */
  paused_until: Nullable(Time),
  last_success_at: Nullable(Time),
  /** Until when the previous secret also signs; null if there is none. */
  old_secret_expires_at: Nullable(Time),
  version: Type.Integer({ minimum: 1 }),
  created_at: Time,
  updated_at: Time,
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const Count = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  at_least: Type.Boolean({ description: 'Whether the count ended at its limit, and there may be more' }),
});

/** What a recovery since a time would send. */
export const RecoveryCounts = Type.Object({
  /** Failed deliveries. */
  failed: Count,
  /** Skipped deliveries, and events without a delivery. */
  missing: Count,
});
export type RecoveryCounts = Static<typeof RecoveryCounts>;

/** The outcome of a request to resend deliveries. */
export const ResentDeliveries = Type.Object({
  resent: Type.Array(Id('delivery')),
  not_resent: Type.Array(Type.Object({ delivery_id: Id('delivery'), reason: Type.String() })),
});
export type ResentDeliveries = Static<typeof ResentDeliveries>;

export const EndpointSecret = Type.Object({ secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$' }) });
export const WebhookEndpointWithSecret = Type.Object({
  ...WebhookEndpoint.properties,
  ...EndpointSecret.properties,
});
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

/** A new endpoint with its secret, which is null in a replayed reply. */
export const CreatedWebhookEndpoint = Type.Object({
  ...WebhookEndpoint.properties,
  secret: Nullable(EndpointSecret.properties.secret, 'Null in a replayed response'),
});
export type CreatedWebhookEndpoint = Static<typeof CreatedWebhookEndpoint>;

/** Based on the newest deliveries of the last 24 hours. */
export const EndpointHealth = Type.Object({
  from: Time,
  to: Time,
  /** Deliveries counted: at most the newest 1,000. */
  deliveries: Type.Integer({ minimum: 0 }),
  attempts: Type.Integer({ minimum: 0 }),
  succeeded_attempts: Type.Integer({ minimum: 0 }),
  /** 0 to 1; null without attempts. */
  success_rate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  p95_ms: Nullable(Type.Integer({ minimum: 0 })),
  pending: Type.Integer({ minimum: 0 }),
  failing_since: Nullable(Time),
});
export type EndpointHealth = Static<typeof EndpointHealth>;

/**
 * `pending`: queued; `succeeded`: the endpoint returned 2xx; `failed`: all attempts failed; `canceled`: by a member or an
 * API token; `skipped`: the endpoint was disabled, and replaying missing events sends it.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why an attempt failed. `refused`: the address policy forbids the address, and nothing was sent. `event-gone`: the
 * event is no longer stored, so there was nothing to send.
 */
export const ATTEMPT_ERRORS = [
  'refused',
  'dns',
  'connection',
  'tls',
  'timeout',
  'status',
  'protocol',
  'event-gone',
] as const;

const Headers = Type.Record(Type.String(), Type.String());

export const DeliveryAttempt = Type.Object({
  id: Id('attempt'),
  /** Counts from 1, across all resends. */
  number: Type.Integer({ minimum: 1 }),
  at: Time,
  duration_ms: Type.Integer({ minimum: 0 }),
  succeeded: Type.Boolean(),
  error: Nullable(Type.Object({ code: Type.Enum(ATTEMPT_ERRORS), detail: Type.String() })),
  url: Type.String(),
  request_headers: Headers,
  /** Null without a response. */
  response: Nullable(
    Type.Object({
      status: Type.Integer(),
      /** Empty for callers who may not change the endpoint. */
      headers: Headers,
      bytes: Type.Integer({ minimum: 0 }),
      /** True if the response was longer than what was read, or broke off. */
      truncated: Type.Boolean(),
    }),
  ),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryAttemptDetail = Type.Object({
  ...DeliveryAttempt.properties,
  request_body: Type.String(),
  /** Null without a response, and for callers who may not change the endpoint. */
  response_body: Nullable(Type.String()),
});
export type DeliveryAttemptDetail = Static<typeof DeliveryAttemptDetail>;

export const Delivery = Type.Object({
  id: Id('delivery'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  endpoint_id: Id('webhookEndpoint'),
  /** Current URL, or the last one of a deleted endpoint; null if the endpoint is unknown, as after restoring a part of a backup. */
  endpoint_url: Nullable(Type.String()),
  event_id: Id('event'),
  event_type: Type.Enum(PAYMENT_EVENT_TYPES),
  payment_id: Id('payment'),
  status: Type.Enum(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  /** Status of the last attempt; null before the first attempt and without a response. */
  response_status: Nullable(Type.Integer()),
  last_attempt_at: Nullable(Time),
  /** Null unless pending. */
  next_attempt_at: Nullable(Time),
  created_at: Time,
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  /** Remaining attempts unless one succeeds; 0 unless pending. */
  attempts_left: Type.Integer({ minimum: 0 }),
  /** Newest last, limited to the newest. */
  attempt_log: Type.Array(DeliveryAttempt),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** An event as the webhooks service stores it, without its body. */
export const WebhookEvent = Type.Object({
  id: Id('event'),
  type: Type.Enum(PAYMENT_EVENT_TYPES),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  payment_id: Id('payment'),
  payment_version: Type.Integer({ minimum: 1 }),
  /** Sent by a member to test an endpoint; there is no real payment. */
  is_test: Type.Boolean(),
  occurred_at: Time,
  /** Exactly the bytes that are signed and sent. Only in the feed. */
  body: Type.Optional(Type.String()),
});
export type WebhookEvent = Static<typeof WebhookEvent>;

export const WebhookEventDetail = Type.Object({
  ...WebhookEvent.properties,
  body: Type.String(),
  /** Newest first, at most 100. */
  deliveries: Type.Array(Delivery),
});
export type WebhookEventDetail = Static<typeof WebhookEventDetail>;

/**
 * Problems and hints for a received webhook. `timestamp-too-old`: receivers reject a webhook more than five minutes
 * after it was sent, even with a correct signature.
 */
export const SIGNATURE_FINDINGS = [
  'id-missing',
  'timestamp-missing',
  'timestamp-malformed',
  'timestamp-in-milliseconds',
  'signature-missing',
  'signature-malformed',
  'secret-of-other-endpoint',
  'secret-expired',
  'body-empty',
  'body-trailing-line-break',
  'body-reserialized',
  'body-wrong-charset',
  'body-differs',
  'event-unknown',
  'event-of-other-environment',
  'event-of-other-application',
  'signature-differs',
  'timestamp-too-old',
  'timestamp-in-future',
] as const;
export type SignatureFindingCode = (typeof SIGNATURE_FINDINGS)[number];

/** Whether a received request was signed for an endpoint. Never reveals the correct signature. */
export const SignatureCheck = Type.Object({
  /** True if a secret that signs now produced the signature for this id, timestamp, and body, exactly as received. */
  matches: Type.Boolean(),
  /** The secret that signed it; null if it does not match. */
  secret: Nullable(Type.Enum(['current', 'old'] as const)),
  /** Seconds since its timestamp, negative if it is in the future; null without a readable timestamp. */
  age_s: Nullable(Type.Integer()),
  /** Most likely cause first. Each says what to do. */
  findings: Type.Array(Type.Object({ code: Type.Enum(SIGNATURE_FINDINGS), detail: Type.String() })),
});
export type SignatureCheck = Static<typeof SignatureCheck>;
