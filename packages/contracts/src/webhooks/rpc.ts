import Type from 'typebox';
import { PAYMENT_EVENT_TYPES } from '../payments/events.ts';
import { SandboxResetOrder } from '../payments/sandbox-reset.ts';
import { ID_PATTERNS, ID_PREFIXES } from '../platform/ids.ts';
import { Page, PageRequest } from '../platform/page.ts';
import { PlainText } from '../platform/plain-text.ts';
import { contractsOf } from '../platform/rpc-contract.ts';
import {
  ClosedObject,
  EnvironmentSchema,
  Id,
  IfVersion,
  Nullable,
  TextOfPattern,
  Time,
} from '../platform/schema.ts';
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
  RecoveryCounts,
  ResentDeliveries,
  SignatureCheck,
  WEBHOOK_LIMITS,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookEvent,
  WebhookEventDetail,
} from './webhook.ts';

const rpc = contractsOf('webhooks');

const EndpointRef = { endpoint_id: Id('webhookEndpoint') };
const DeliveryRef = { delivery_id: Id('delivery') };
const Url = Type.String({ minLength: 1, maxLength: WEBHOOK_LIMITS.url });
const Description = PlainText({ maxLength: WEBHOOK_LIMITS.description });

export const createEndpoint = rpc('create_endpoint', 'member-or-token', {
  idempotent: true,
  request: {
    application_id: Id('application'),
    environment: EnvironmentSchema,
    url: Url,
    event_types: EventTypes,
    description: Type.Optional(Description),
  },
  reply: CreatedWebhookEndpoint,
});

export const getEndpoint = rpc('get_endpoint', 'member-or-token', {
  request: EndpointRef,
  reply: WebhookEndpoint,
});

export const listEndpoints = rpc('list_endpoints', 'member-or-token', {
  request: {
    ...PageRequest,
    application_id: Type.Optional(Id('application')),
    environment: Type.Optional(EnvironmentSchema),
  },
  reply: Page(WebhookEndpoint),
});

/** Absent fields stay unchanged. */
export const updateEndpoint = rpc('update_endpoint', 'member-or-token', {
  request: {
    ...EndpointRef,
    ...IfVersion,
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    description: Type.Optional(Description),
  },
  reply: WebhookEndpoint,
});

export const enableEndpoint = rpc('enable_endpoint', 'member-or-token', {
  request: { ...EndpointRef, ...IfVersion },
  reply: WebhookEndpoint,
});

export const deleteEndpoint = rpc('delete_endpoint', 'member-or-token', {
  request: { ...EndpointRef, ...IfVersion },
});

export const disableEndpoint = rpc('disable_endpoint', 'member-or-token', {
  request: {
    ...EndpointRef,
    ...IfVersion,
    reason: Type.Optional(PlainText({ minLength: 1, maxLength: WEBHOOK_LIMITS.disableReason })),
  },
  reply: WebhookEndpoint,
});

export const rotateSecret = rpc('rotate_secret', 'member-or-token', {
  request: {
    ...EndpointRef,
    /** Absent: 24 hours. */
    overlap_s: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SECRET_OVERLAP_S })),
  },
  reply: WebhookEndpointWithSecret,
});

export const revealSecret = rpc('reveal_secret', 'member-or-token', {
  request: EndpointRef,
  reply: EndpointSecret,
});

const ReceivedHeader = Type.String({ maxLength: WEBHOOK_LIMITS.checkedHeader });

/** Missing headers are empty. */
export const checkSignature = rpc('check_signature', 'member-or-token', {
  request: {
    ...EndpointRef,
    webhook_id: ReceivedHeader,
    webhook_timestamp: ReceivedHeader,
    webhook_signature: ReceivedHeader,
    /** Exactly as received. */
    body: Type.String({ maxLength: WEBHOOK_LIMITS.checkedBody }),
  },
  reply: SignatureCheck,
});

export const getEndpointHealth = rpc('endpoint_health', 'member-or-token', {
  request: EndpointRef,
  reply: EndpointHealth,
});

/** A delivery must match all filters. */
export const listDeliveries = rpc('list_deliveries', 'member-or-token', {
  request: {
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
  reply: Page(Delivery),
});

export const getDelivery = rpc('get_delivery', 'member-or-token', {
  request: DeliveryRef,
  reply: DeliveryDetail,
});

export const getAttempt = rpc('get_attempt', 'member-or-token', {
  request: { ...DeliveryRef, attempt_id: Id('attempt') },
  reply: DeliveryAttemptDetail,
});

/** Works for any status. */
export const resendDelivery = rpc('resend_delivery', 'member-or-token', {
  request: DeliveryRef,
  reply: Delivery,
});

/**
 * Resends each delivery that still has this number of attempts and is not pending. So a repeated request resends none, and a delivery that
 * another member has resent meanwhile is not sent twice.
 */
export const resendDeliveries = rpc('resend_deliveries', 'member-or-token', {
  request: {
    environment: EnvironmentSchema,
    deliveries: Type.Array(
      ClosedObject({
        ...DeliveryRef,
        attempts: Type.Integer({ minimum: 0, description: 'The `attempts` of the delivery, as read' }),
      }),
      { minItems: 1, maxItems: WEBHOOK_LIMITS.resentAtOnce },
    ),
  },
  reply: ResentDeliveries,
});

/** An attempt in flight completes, but its outcome is discarded. */
export const cancelDelivery = rpc('cancel_delivery', 'member-or-token', {
  request: DeliveryRef,
  reply: Delivery,
});

const Since = { ...EndpointRef, since: Time };
const Scheduled = Type.Object({ deliveries: Type.Integer({ minimum: 0 }) });

export const recoverEndpoint = rpc('recover', 'member-or-token', { request: Since, reply: Scheduled });

/** Counts what `recover` and `replay_missing` would send, up to a limit for each. */
export const countRecovery = rpc('count_recovery', 'member-or-token', {
  request: Since,
  reply: RecoveryCounts,
});

/**
 * Sends skipped deliveries, and events of its types without a delivery. A request processes a bounded number of events, oldest first. To
 * continue, send `next_cursor` as `cursor` with the same `since`. Null means that all events were processed.
 */
export const replayMissing = rpc('replay_missing', 'member-or-token', {
  request: { ...Since, cursor: Type.Optional(Id('event')) },
  reply: Type.Object({ ...Scheduled.properties, next_cursor: Nullable(Id('event')) }),
});

/** Sends the type's example to this endpoint only. */
export const sendTestEvent = rpc('send_test_event', 'member-or-token', {
  request: { ...EndpointRef, event_type: Type.Enum(PAYMENT_EVENT_TYPES) },
  reply: Delivery,
});

export const listEventTypes = rpc('event_types', 'member-or-token', {
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
 * The feed is in the order of arrival. Its `next_cursor` is never null, so that a reader can continue when there is more. An event of a
 * payment comes after those with lower versions, unless one of them arrived minutes late.
 */
export const listEvents = rpc('list_events', 'member-or-token', {
  request: {
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
  reply: Page(WebhookEvent),
});

export const getEvent = rpc('get_event', 'member-or-token', {
  request: { event_id: Id('event') },
  reply: WebhookEventDetail,
});

/**
 * Deletes a part of a team's sandbox events and deliveries of payments that were created before a time, and ignores
 * events of those payments from then on. The caller repeats it until nothing is left.
 */
export const deleteSandboxData = rpc('delete_sandbox_data', 'service', {
  request: SandboxResetOrder.properties,
  reply: Type.Object({ deleted: Type.Integer({ minimum: 0 }), is_complete: Type.Boolean() }),
});

/** Whether an application has webhook endpoints in any environment, apart from deleted ones. */
export const hasEndpoints = rpc('has_endpoints', 'service', {
  request: { team_id: Id('team'), application_id: Id('application') },
  reply: Type.Object({ has_endpoints: Type.Boolean() }),
});
