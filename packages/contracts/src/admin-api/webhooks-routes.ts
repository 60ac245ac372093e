import { ROLE_BY_ENVIRONMENT } from '../platform/roles.ts';
import * as webhooks from '../webhooks/rpc.ts';
import { route, routesOf } from './route.ts';

export const webhookEndpointRoutes = routesOf(webhooks, {
  listEndpoints: route('GET /webhook-endpoints', 'viewer', {
    summary: 'List webhook endpoints, newest first',
  }),
  createEndpoint: route('POST /webhook-endpoints', ROLE_BY_ENVIRONMENT, {
    summary: 'Create a webhook endpoint; its signing `secret` can be revealed later',
    errors: ['not-found', 'conflict'],
  }),
  getEndpoint: route('GET /webhook-endpoints/:endpoint_id', 'viewer', { summary: 'Read a webhook endpoint' }),
  updateEndpoint: route('PATCH /webhook-endpoints/:endpoint_id', ROLE_BY_ENVIRONMENT, {
    summary: 'Update a webhook endpoint',
    errors: ['conflict'],
  }),
  deleteEndpoint: route('DELETE /webhook-endpoints/:endpoint_id', ROLE_BY_ENVIRONMENT, {
    summary: 'Delete a webhook endpoint; pending deliveries are canceled and stay in the log',
    errors: ['conflict'],
  }),
  getEndpointHealth: route('GET /webhook-endpoints/:endpoint_id/health', 'viewer', {
    summary: 'Read the health of a webhook endpoint over the last 24 hours',
    errors: ['query-timeout'],
  }),
  enableEndpoint: route('POST /webhook-endpoints/:endpoint_id/enable', ROLE_BY_ENVIRONMENT, {
    summary: 'Enable a webhook endpoint; missed events can be recovered or replayed',
    errors: ['conflict'],
  }),
  disableEndpoint: route('POST /webhook-endpoints/:endpoint_id/disable', ROLE_BY_ENVIRONMENT, {
    summary: 'Disable a webhook endpoint; events are skipped and can be replayed',
    errors: ['conflict'],
  }),
  rotateSecret: route('POST /webhook-endpoints/:endpoint_id/rotate-secret', ROLE_BY_ENVIRONMENT, {
    summary: 'Rotate the signing secret; deliveries are signed with both until the overlap ends',
    errors: ['conflict', 'reauthentication-required'],
  }),
  revealSecret: route('POST /webhook-endpoints/:endpoint_id/reveal-secret', ROLE_BY_ENVIRONMENT, {
    summary: 'Reveal the signing secret; recorded in the audit log',
    errors: ['reauthentication-required'],
  }),
  checkSignature: route('POST /webhook-endpoints/:endpoint_id/check-signature', 'developer', {
    summary: 'Check the signature of a received request',
  }),
  sendTestEvent: route('POST /webhook-endpoints/:endpoint_id/test', ROLE_BY_ENVIRONMENT, {
    summary: 'Send a test event to a webhook endpoint',
    errors: ['conflict'],
  }),
  recoverEndpoint: route('POST /webhook-endpoints/:endpoint_id/recover', ROLE_BY_ENVIRONMENT, {
    summary: 'Retry failed deliveries that were created since a given time',
    errors: ['conflict'],
  }),
  countRecovery: route('GET /webhook-endpoints/:endpoint_id/recovery-count', 'viewer', {
    summary: 'Count what a recovery and a replay would send, up to a limit',
    errors: ['query-timeout'],
  }),
  replayMissing: route('POST /webhook-endpoints/:endpoint_id/replay-missing', ROLE_BY_ENVIRONMENT, {
    summary: 'Send events that the endpoint missed since a given time',
    errors: ['conflict'],
  }),
});

export const eventRoutes = routesOf(webhooks, {
  listEventTypes: route('GET /event-types', 'viewer', {
    summary: 'List event types with their schemas and examples',
  }),
  listEvents: route('GET /events', 'viewer', {
    summary: 'List events, newest first, or read them as a feed, oldest first and with bodies',
    errors: ['query-timeout'],
  }),
  getEvent: route('GET /events/:event_id', 'viewer', {
    summary: 'Read an event with its body and deliveries',
  }),
});

export const deliveryRoutes = routesOf(webhooks, {
  listDeliveries: route('GET /deliveries', 'viewer', { summary: 'List deliveries, newest first' }),
  getDelivery: route('GET /deliveries/:delivery_id', 'viewer', {
    summary: 'Read a delivery with its attempts',
    errors: ['reply-too-large'],
  }),
  getAttempt: route('GET /deliveries/:delivery_id/attempts/:attempt_id', 'viewer', {
    summary: 'Read an attempt with its request and response',
  }),
  resendDelivery: route('POST /deliveries/:delivery_id/resend', ROLE_BY_ENVIRONMENT, {
    summary: 'Resend a delivery now, with a new retry schedule',
    errors: ['conflict'],
  }),
  resendDeliveries: route('POST /deliveries/resend', ROLE_BY_ENVIRONMENT, {
    summary: 'Resend several deliveries now, each with a new retry schedule',
  }),
  cancelDelivery: route('POST /deliveries/:delivery_id/cancel', ROLE_BY_ENVIRONMENT, {
    summary: 'Cancel a pending delivery',
    errors: ['conflict'],
  }),
});
