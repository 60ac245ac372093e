import Type from 'typebox';
import { PAYMENT_EVENT_TYPES } from '../payments/events.ts';
import { SandboxResetOrder } from '../payments/sandbox-reset.ts';
import { EnvironmentSchema } from '../platform/environment.ts';
import { ID_PATTERNS, ID_PREFIXES, Id } from '../platform/ids.ts';
import { Page, PageRequest } from '../platform/page.ts';
import { PlainText } from '../platform/plain-text.ts';
import { rpc } from '../platform/rpc-contract.ts';
import { Nullable, TextOfPattern } from '../platform/schema.ts';
import { Time } from '../platform/time.ts';
import {
  CreatedWebhookEndpoint,
  DELIVERY_STATUSES,
  Delivery,
  DeliveryAttemptDetail,
  DeliveryDetail,
  EndpointHealth,
  EndpointSecret,
  EventTypes,
  MAX_SECRET_OVERLAP_S,
  SignatureCheck,
  WEBHOOK_LIMITS,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookEvent,
  WebhookEventDetail,
} from './webhook.ts';

const closed = { additionalProperties: false } as const;
const EndpointRef = { endpoint_id: Id('webhookEndpoint') };
const DeliveryRef = { delivery_id: Id('delivery') };
/**
 * The version that the caller read; absent means the current version. Any other version is rejected with
 * `precondition-failed`.
 */
const IfVersion = { if_version: Type.Optional(Type.Integer({ minimum: 1 })) };
const Url = Type.String({ minLength: 1, maxLength: WEBHOOK_LIMITS.url });
const Description = PlainText({ maxLength: WEBHOOK_LIMITS.description });

export const createEndpoint = rpc('webhooks', 'create_endpoint', {
  caller: 'member-or-token',
  idempotent: true,
  request: Type.Object(
    {
      application_id: Id('application'),
      environment: EnvironmentSchema,
      url: Url,
      event_types: EventTypes,
      description: Type.Optional(Description),
    },
    closed,
  ),
  reply: CreatedWebhookEndpoint,
});

export const getEndpoint = rpc('webhooks', 'get_endpoint', {
  caller: 'member-or-token',
  request: Type.Object(EndpointRef, closed),
  reply: WebhookEndpoint,
});

export const listEndpoints = rpc('webhooks', 'list_endpoints', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...PageRequest,
      application_id: Type.Optional(Id('application')),
      environment: Type.Optional(EnvironmentSchema),
    },
    closed,
  ),
  reply: Page(WebhookEndpoint),
});

/** Absent fields stay unchanged. */
export const updateEndpoint = rpc('webhooks', 'update_endpoint', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...EndpointRef,
      ...IfVersion,
      url: Type.Optional(Url),
      event_types: Type.Optional(EventTypes),
      description: Type.Optional(Description),
    },
    closed,
  ),
  reply: WebhookEndpoint,
});

export const enableEndpoint = rpc('webhooks', 'enable_endpoint', {
  caller: 'member-or-token',
  request: Type.Object({ ...EndpointRef, ...IfVersion }, closed),
  reply: WebhookEndpoint,
});

/**
 * Cancels pending deliveries. Events, deliveries, and audit records stay; the endpoint itself is `not-found`
 * afterwards.
 */
export const deleteEndpoint = rpc('webhooks', 'delete_endpoint', {
  caller: 'member-or-token',
  request: Type.Object({ ...EndpointRef, ...IfVersion }, closed),
  reply: Type.Object({}, closed),
});

/** Skips pending deliveries. */
export const disableEndpoint = rpc('webhooks', 'disable_endpoint', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...EndpointRef,
      ...IfVersion,
      reason: Type.Optional(PlainText({ minLength: 1, maxLength: WEBHOOK_LIMITS.disableReason })),
    },
    closed,
  ),
  reply: WebhookEndpoint,
});

/** Returns the new secret. Until the overlap ends, every delivery is signed with both. */
export const rotateSecret = rpc('webhooks', 'rotate_secret', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...EndpointRef,
      /** Absent: 24 hours. */
      overlap_s: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SECRET_OVERLAP_S })),
    },
    closed,
  ),
  reply: WebhookEndpointWithSecret,
});

export const revealSecret = rpc('webhooks', 'reveal_secret', {
  caller: 'member-or-token',
  request: Type.Object(EndpointRef, closed),
  reply: EndpointSecret,
});

const ReceivedHeader = Type.String({ maxLength: WEBHOOK_LIMITS.checkedHeader });

/** Checks whether a received request was signed for this endpoint, and reports why not. Missing headers are empty. */
export const checkSignature = rpc('webhooks', 'check_signature', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...EndpointRef,
      webhook_id: ReceivedHeader,
      webhook_timestamp: ReceivedHeader,
      webhook_signature: ReceivedHeader,
      /** Exactly as received. */
      body: Type.String({ maxLength: WEBHOOK_LIMITS.checkedBody }),
    },
    closed,
  ),
  reply: SignatureCheck,
});

export const getEndpointHealth = rpc('webhooks', 'endpoint_health', {
  caller: 'member-or-token',
  request: Type.Object(EndpointRef, closed),
  reply: EndpointHealth,
});

/** Newest first. A delivery must match all filters. */
export const listDeliveries = rpc('webhooks', 'list_deliveries', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...PageRequest,
      application_id: Type.Optional(Id('application')),
      environment: Type.Optional(EnvironmentSchema),
      endpoint_id: Type.Optional(Id('webhookEndpoint')),
      event_id: Type.Optional(Id('event')),
      payment_id: Type.Optional(Id('payment')),
      event_type: Type.Optional(Type.Enum(PAYMENT_EVENT_TYPES)),
      status: Type.Optional(Type.Enum(DELIVERY_STATUSES)),
      created_from: Type.Optional(Time),
      created_to: Type.Optional(Time),
    },
    closed,
  ),
  reply: Page(Delivery),
});

export const getDelivery = rpc('webhooks', 'get_delivery', {
  caller: 'member-or-token',
  request: Type.Object(DeliveryRef, closed),
  reply: DeliveryDetail,
});

export const getAttempt = rpc('webhooks', 'get_attempt', {
  caller: 'member-or-token',
  request: Type.Object({ ...DeliveryRef, attempt_id: Id('attempt') }, closed),
  reply: DeliveryAttemptDetail,
});

/** Sends the delivery again immediately, regardless of its status, with a full retry schedule. */
export const resendDelivery = rpc('webhooks', 'resend_delivery', {
  caller: 'member-or-token',
  request: Type.Object(DeliveryRef, closed),
  reply: Delivery,
});

/** Cancels a pending delivery. An attempt in flight completes, but its outcome is discarded. */
export const cancelDelivery = rpc('webhooks', 'cancel_delivery', {
  caller: 'member-or-token',
  request: Type.Object(DeliveryRef, closed),
  reply: Delivery,
});

const Since = { ...EndpointRef, since: Time };
const Scheduled = Type.Object({ deliveries: Type.Integer({ minimum: 0 }) });

/** Resends the failed deliveries created at or after `since`. */
export const recoverEndpoint = rpc('webhooks', 'recover', {
  caller: 'member-or-token',
  request: Type.Object(Since, closed),
  reply: Scheduled,
});

/**
 * Sends the events since `since` that the endpoint never received: skipped deliveries, and events of its types without
 * a delivery. A request processes a bounded number of events, oldest first. To continue, send `next_cursor` as `cursor`
 * with the same `since`. Null means that all events were processed.
 */
export const replayMissing = rpc('webhooks', 'replay_missing', {
  caller: 'member-or-token',
  request: Type.Object({ ...Since, cursor: Type.Optional(Id('event')) }, closed),
  reply: Type.Object({ ...Scheduled.properties, next_cursor: Nullable(Id('event')) }),
});

/** Sends the type's example to this endpoint only. */
export const sendTestEvent = rpc('webhooks', 'send_test_event', {
  caller: 'member-or-token',
  request: Type.Object({ ...EndpointRef, event_type: Type.Enum(PAYMENT_EVENT_TYPES) }, closed),
  reply: Delivery,
});

export const listEventTypes = rpc('webhooks', 'event_types', {
  caller: 'member-or-token',
  request: Type.Object({}, closed),
  reply: Page(
    Type.Object({
      type: Type.Enum(PAYMENT_EVENT_TYPES),
      description: Type.String(),
      schema: Type.Unknown(),
      example: Type.Unknown(),
    }),
  ),
});

/** The longest wait for an event. Proxies often close a connection that is idle for half a minute. */
export const MAX_FEED_WAIT_S = 25;

/**
 * Newest first, without bodies. With `order` `asc`: the feed, oldest first in the order of arrival, with bodies. Its
 * `next_cursor` is never null, so that a reader can continue when there is more. An event of a payment comes after those
 * with lower versions, unless one of them arrived minutes late.
 */
export const listEvents = rpc('webhooks', 'list_events', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      ...PageRequest,
      order: Type.Optional(
        Type.Enum(['desc', 'asc'] as const, { description: '`asc`: the feed, with bodies' }),
      ),
      after: Type.Optional(
        TextOfPattern(
          `^(${ID_PATTERNS.event.source.slice(1, -1)}|newest)$`,
          `This must be the ID of an event, which starts with ${ID_PREFIXES.event}_, or newest.`,
          {
            description:
              'Where the feed starts: after this event, or after the newest. Absent: with the oldest',
          },
        ),
      ),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_FEED_WAIT_S,
          description: 'Seconds to wait when the feed has no further event',
        }),
      ),
      application_id: Type.Optional(Id('application')),
      environment: Type.Optional(EnvironmentSchema),
      type: Type.Optional(Type.Enum(PAYMENT_EVENT_TYPES)),
      payment_id: Type.Optional(Id('payment')),
    },
    closed,
  ),
  reply: Page(WebhookEvent),
});

export const getEvent = rpc('webhooks', 'get_event', {
  caller: 'member-or-token',
  request: Type.Object({ event_id: Id('event') }, closed),
  reply: WebhookEventDetail,
});

/**
 * Deletes a part of a team's sandbox events and deliveries of payments that were created before a time, and ignores
 * events of those payments from then on. The caller repeats it until nothing is left.
 */
export const deleteSandboxData = rpc('webhooks', 'delete_sandbox_data', {
  caller: 'service',
  request: SandboxResetOrder,
  reply: Type.Object({ deleted: Type.Integer({ minimum: 0 }), is_complete: Type.Boolean() }),
});

/** Whether an application has webhook endpoints in any environment, apart from deleted ones. */
export const hasEndpoints = rpc('webhooks', 'has_endpoints', {
  caller: 'service',
  request: Type.Object({ team_id: Id('team'), application_id: Id('application') }, closed),
  reply: Type.Object({ has_endpoints: Type.Boolean() }),
});
