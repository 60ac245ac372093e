import { ROLE_BY_ENVIRONMENT } from '../platform/roles.ts';
import * as webhooks from '../webhooks/rpc.ts';
import { route } from './route.ts';

export const webhookEndpointRoutes = {
  listEndpoints: route('GET', '/webhook-endpoints', webhooks.listEndpoints, {
    summary: 'List webhook endpoints, newest first',
    access: 'viewer',
  }),
  createEndpoint: route('POST', '/webhook-endpoints', webhooks.createEndpoint, {
    summary: 'Create a webhook endpoint; its signing `secret` can be revealed later',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['not-found', 'conflict'],
    status: 201,
  }),
  getEndpoint: route('GET', '/webhook-endpoints/:endpoint_id', webhooks.getEndpoint, {
    summary: 'Read a webhook endpoint',
    access: 'viewer',
  }),
  updateEndpoint: route('PATCH', '/webhook-endpoints/:endpoint_id', webhooks.updateEndpoint, {
    summary: 'Update a webhook endpoint',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  deleteEndpoint: route('DELETE', '/webhook-endpoints/:endpoint_id', webhooks.deleteEndpoint, {
    summary: 'Delete a webhook endpoint; pending deliveries are canceled and stay in the log',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
    status: 204,
  }),
  getEndpointHealth: route('GET', '/webhook-endpoints/:endpoint_id/health', webhooks.getEndpointHealth, {
    summary: 'Read the health of a webhook endpoint over the last 24 hours',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  enableEndpoint: route('POST', '/webhook-endpoints/:endpoint_id/enable', webhooks.enableEndpoint, {
    summary: 'Enable a webhook endpoint; missed events can be recovered or replayed',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  disableEndpoint: route('POST', '/webhook-endpoints/:endpoint_id/disable', webhooks.disableEndpoint, {
    summary: 'Disable a webhook endpoint; events are skipped and can be replayed',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  rotateSecret: route('POST', '/webhook-endpoints/:endpoint_id/rotate-secret', webhooks.rotateSecret, {
    summary: 'Rotate the signing secret; deliveries are signed with both until the overlap ends',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict', 'reauthentication-required'],
  }),
  revealSecret: route('POST', '/webhook-endpoints/:endpoint_id/reveal-secret', webhooks.revealSecret, {
    summary: 'Reveal the signing secret; recorded in the audit log',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['reauthentication-required'],
  }),
  checkSignature: route('POST', '/webhook-endpoints/:endpoint_id/check-signature', webhooks.checkSignature, {
    summary: 'Check the signature of a received request',
    access: 'developer',
  }),
  sendTestEvent: route('POST', '/webhook-endpoints/:endpoint_id/test', webhooks.sendTestEvent, {
    summary: 'Send a test event to a webhook endpoint',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  recoverEndpoint: route('POST', '/webhook-endpoints/:endpoint_id/recover', webhooks.recoverEndpoint, {
    summary: 'Retry failed deliveries that were created since a given time',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  replayMissing: route('POST', '/webhook-endpoints/:endpoint_id/replay-missing', webhooks.replayMissing, {
    summary: 'Send events that the endpoint missed since a given time',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
};

export const eventRoutes = {
  listEventTypes: route('GET', '/event-types', webhooks.listEventTypes, {
    summary: 'List event types with their schemas and examples',
    access: 'viewer',
  }),
  listEvents: route('GET', '/events', webhooks.listEvents, {
    summary: 'List events, newest first, or read them as a feed, oldest first and with bodies',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  getEvent: route('GET', '/events/:event_id', webhooks.getEvent, {
    summary: 'Read an event with its body and deliveries',
    access: 'viewer',
  }),
};

export const deliveryRoutes = {
  listDeliveries: route('GET', '/deliveries', webhooks.listDeliveries, {
    summary: 'List deliveries, newest first',
    access: 'viewer',
  }),
  getDelivery: route('GET', '/deliveries/:delivery_id', webhooks.getDelivery, {
    summary: 'Read a delivery with its attempts',
    access: 'viewer',
    errors: ['reply-too-large'],
  }),
  getAttempt: route('GET', '/deliveries/:delivery_id/attempts/:attempt_id', webhooks.getAttempt, {
    summary: 'Read an attempt with its request and response',
    access: 'viewer',
  }),
  resendDelivery: route('POST', '/deliveries/:delivery_id/resend', webhooks.resendDelivery, {
    summary: 'Resend a delivery now, with a new retry schedule',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  cancelDelivery: route('POST', '/deliveries/:delivery_id/cancel', webhooks.cancelDelivery, {
    summary: 'Cancel a pending delivery',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
};
