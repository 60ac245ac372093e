import Type, { type Static } from 'typebox';
import { DAY_S } from './durations.ts';
import { EnvironmentSchema } from './environment.ts';
import { PAYMENT_EVENT_TYPES } from './events.ts';
import { Id } from './ids.ts';
import { Nullable } from './nullable.ts';
import { Time } from './time.ts';

export const WEBHOOK_LIMITS = {
  url: 2048,
  description: 255,
  disableReason: 255,
  endpointsPerApplication: 50,
  /** Bytes of a response that are read and stored. */
  responseBytes: 16 * 1024,
  /** Attempts that a delivery remembers; of more, the newest. */
  storedAttempts: 20,
  /** Characters of a header, and of a body, that someone asks to be checked: requests of the admin API have 128 KiB. */
  checkedHeader: 2048,
  checkedBody: 100_000,
} as const;

/** How long the old secret goes on signing beside the new one: 0 s to 7 days. */
export const MAX_SECRET_OVERLAP_S = 7 * DAY_S;
export const DEFAULT_SECRET_OVERLAP_S = DAY_S;

export const EventTypes = Type.Array(Type.Enum(PAYMENT_EVENT_TYPES), {
  minItems: 1,
  maxItems: PAYMENT_EVENT_TYPES.length,
  uniqueItems: true,
});

/**
 * Who or what disabled an endpoint. `member`: someone did; `gone`: it responded with 410; `asked`: it responded with
 * `webhook-delivery: disable`; `failing`: it took nothing for days.
 */
export const DISABLED_BY = ['member', 'gone', 'asked', 'failing'] as const;

export const WebhookEndpoint = Type.Object({
  id: Id('webhookEndpoint'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  url: Type.String(),
  description: Type.String(),
  event_types: EventTypes,
  status: Type.Enum(['enabled', 'disabled'] as const),
  /** Null while it is enabled. */
  disabled: Nullable(Type.Object({ by: Type.Enum(DISABLED_BY), reason: Nullable(Type.String()), at: Time })),
  /** When the first failure since the last success was; null while it works. */
  failing_since: Nullable(Time),
  /** When it is going to be disabled unless it takes something before; null when it is not near. */
  disables_at: Nullable(Time),
  /** When the next delivery is tried, while it cannot be connected to; null when it can. */
  paused_until: Nullable(Time),
  last_success_at: Nullable(Time),
  /** Until when the secret before the current one signs too; null when there is none. */
  old_secret_expires_at: Nullable(Time),
  version: Type.Integer({ minimum: 1 }),
  created_at: Time,
  updated_at: Time,
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const EndpointSecret = Type.Object({ secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$' }) });
export const WebhookEndpointWithSecret = Type.Object({
  ...WebhookEndpoint.properties,
  ...EndpointSecret.properties,
});
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

/** Of the newest deliveries of the last 24 hours. */
export const EndpointHealth = Type.Object({
  from: Time,
  to: Time,
  /** Deliveries that were counted: at most the newest 1,000. */
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
 * `pending`: owed; `succeeded`: responded with 2xx; `failed`: given up; `canceled`: by a member; `skipped`: the endpoint was
 * disabled, and replaying what is missing sends it.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why an attempt failed. `refused`: the address policy forbids the address; nothing was connected to. `event-gone`: the event is kept no longer, so there was
 * nothing to send.
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
  /** Counts from 1, over all rounds of sending. */
  number: Type.Integer({ minimum: 1 }),
  at: Time,
  duration_ms: Type.Integer({ minimum: 0 }),
  succeeded: Type.Boolean(),
  error: Nullable(Type.Object({ code: Type.Enum(ATTEMPT_ERRORS), detail: Type.String() })),
  url: Type.String(),
  request_headers: Headers,
  /** Null when no response came. */
  response: Nullable(
    Type.Object({
      status: Type.Integer(),
      headers: Headers,
      /** Bytes that were read. */
      bytes: Type.Integer({ minimum: 0 }),
      /** More followed, and was not read. */
      truncated: Type.Boolean(),
    }),
  ),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/** One attempt with both bodies, as text. */
export const DeliveryAttemptDetail = Type.Object({
  ...DeliveryAttempt.properties,
  request_body: Type.String(),
  response_body: Nullable(Type.String()),
});
export type DeliveryAttemptDetail = Static<typeof DeliveryAttemptDetail>;

export const Delivery = Type.Object({
  id: Id('delivery'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  endpoint_id: Id('webhookEndpoint'),
  /** As it is now, or was when the endpoint was deleted; null when nothing is known of the endpoint, as where only a part of a backup was restored. */
  endpoint_url: Nullable(Type.String()),
  event_id: Id('event'),
  event_type: Type.Enum(PAYMENT_EVENT_TYPES),
  payment_id: Id('payment'),
  status: Type.Enum(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  /** Of the last attempt; null before it, and where no response came. */
  response_status: Nullable(Type.Integer()),
  last_attempt_at: Nullable(Time),
  /** Null unless it is pending. */
  next_attempt_at: Nullable(Time),
  created_at: Time,
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  /** Attempts that are still to come unless one succeeds; 0 when it is not pending. */
  attempts_left: Type.Integer({ minimum: 0 }),
  /** Newest last; of many, the newest. */
  attempt_log: Type.Array(DeliveryAttempt),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** An event as the webhooks service holds it, without its body. */
export const WebhookEvent = Type.Object({
  id: Id('event'),
  type: Type.Enum(PAYMENT_EVENT_TYPES),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  payment_id: Id('payment'),
  payment_version: Type.Integer({ minimum: 1 }),
  /** Sent by a member to try an endpoint; no payment stands behind it. */
  is_test: Type.Boolean(),
  occurred_at: Time,
});
export type WebhookEvent = Static<typeof WebhookEvent>;

export const WebhookEventDetail = Type.Object({
  ...WebhookEvent.properties,
  /** Exactly what is signed and sent. */
  body: Type.String(),
  /** Newest first; of many, the newest 100. */
  deliveries: Type.Array(Delivery),
});
export type WebhookEventDetail = Static<typeof WebhookEventDetail>;

/**
 * What is wrong with a received webhook, or worth knowing of it: `timestamp-too-old` is what receivers reject more than five minutes after it
 * was sent, however right the signature is.
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

/** Whether a received request was signed for an endpoint. It never says what the signature should have been. */
export const SignatureCheck = Type.Object({
  /** The signature is that of this id, timestamp and body, exactly as received, by a secret that signs now. */
  matches: Type.Boolean(),
  /** By which it was signed; null when it does not match. */
  secret: Nullable(Type.Enum(['current', 'old'] as const)),
  /** Seconds from its timestamp to now, negative when that is in the future; null without a timestamp that can be read. */
  age_s: Nullable(Type.Integer()),
  /** The most likely cause first; each says what to do about it. */
  findings: Type.Array(Type.Object({ code: Type.Enum(SIGNATURE_FINDINGS), detail: Type.String() })),
});
export type SignatureCheck = Static<typeof SignatureCheck>;
