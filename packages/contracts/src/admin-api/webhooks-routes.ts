import * as webhooks from '../rpc/webhooks.ts';
import { LIVE_NEEDS_ADMIN, route } from './route.ts';

export const webhookEndpointRoutes = {
  listEndpoints: route('GET', '/webhook-endpoints', webhooks.listEndpoints, {
    summary: 'List webhook endpoints, newest first',
    access: 'viewer',
  }),
  createEndpoint: route('POST', '/webhook-endpoints', webhooks.createEndpoint, {
    summary: 'Create a webhook endpoint; its signing `secret` can be revealed again later',
    access: LIVE_NEEDS_ADMIN,
    status: 201,
  }),
  getEndpoint: route('GET', '/webhook-endpoints/:endpoint_id', webhooks.getEndpoint, {
    summary: 'Read a webhook endpoint',
    access: 'viewer',
  }),
  updateEndpoint: route('PATCH', '/webhook-endpoints/:endpoint_id', webhooks.updateEndpoint, {
    summary: 'Change URL, event types or description of a webhook endpoint',
    access: LIVE_NEEDS_ADMIN,
  }),
  deleteEndpoint: route('DELETE', '/webhook-endpoints/:endpoint_id', webhooks.deleteEndpoint, {
    summary: 'Delete a webhook endpoint; what is owed to it is canceled, its deliveries stay in the log',
    access: LIVE_NEEDS_ADMIN,
    status: 204,
  }),
  getEndpointHealth: route('GET', '/webhook-endpoints/:endpoint_id/health', webhooks.getEndpointHealth, {
    summary: 'Success rate and response time of the last 24 hours, and since when it fails',
    access: 'viewer',
  }),
  enableEndpoint: route('POST', '/webhook-endpoints/:endpoint_id/enable', webhooks.enableEndpoint, {
    summary: 'Enable a webhook endpoint; recover or replay what it has missed afterwards',
    access: LIVE_NEEDS_ADMIN,
  }),
  disableEndpoint: route('POST', '/webhook-endpoints/:endpoint_id/disable', webhooks.disableEndpoint, {
    summary: 'Disable a webhook endpoint: events are skipped, and can be replayed',
    access: LIVE_NEEDS_ADMIN,
  }),
  rotateSecret: route('POST', '/webhook-endpoints/:endpoint_id/rotate-secret', webhooks.rotateSecret, {
    summary: 'Make a new signing secret; until the overlap ends deliveries are signed with both',
    access: LIVE_NEEDS_ADMIN,
  }),
  revealSecret: route('POST', '/webhook-endpoints/:endpoint_id/reveal-secret', webhooks.revealSecret, {
    summary: 'Show the signing secret; the audit log says who asked',
    access: LIVE_NEEDS_ADMIN,
  }),
  checkSignature: route('POST', '/webhook-endpoints/:endpoint_id/check-signature', webhooks.checkSignature, {
    summary: 'Check the signature of a received request, and learn why it does not verify',
    access: 'developer',
  }),
  sendTestEvent: route('POST', '/webhook-endpoints/:endpoint_id/test', webhooks.sendTestEvent, {
    summary: 'Send the example of an event type to this endpoint',
    access: LIVE_NEEDS_ADMIN,
  }),
  recoverEndpoint: route('POST', '/webhook-endpoints/:endpoint_id/recover', webhooks.recoverEndpoint, {
    summary: 'Send again what has failed since a time',
    access: LIVE_NEEDS_ADMIN,
  }),
  replayMissing: route('POST', '/webhook-endpoints/:endpoint_id/replay-missing', webhooks.replayMissing, {
    summary: 'Send what the endpoint never got since a time',
    access: LIVE_NEEDS_ADMIN,
  }),
};

export const eventRoutes = {
  listEventTypes: route('GET', '/event-types', webhooks.listEventTypes, {
    summary: 'List the event types, each with its schema and an example',
    access: 'viewer',
  }),
  listEvents: route('GET', '/events', webhooks.listEvents, {
    summary: 'List events, newest first',
    access: 'viewer',
  }),
  getEvent: route('GET', '/events/:event_id', webhooks.getEvent, {
    summary: 'Read an event with the body that is sent, and its deliveries',
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
  }),
  getAttempt: route('GET', '/deliveries/:delivery_id/attempts/:attempt_id', webhooks.getAttempt, {
    summary: 'Read one attempt with what was sent and what was answered',
    access: 'viewer',
  }),
  resendDelivery: route('POST', '/deliveries/:delivery_id/resend', webhooks.resendDelivery, {
    summary: 'Send it again at once, with a whole schedule of retries',
    access: LIVE_NEEDS_ADMIN,
  }),
  cancelDelivery: route('POST', '/deliveries/:delivery_id/cancel', webhooks.cancelDelivery, {
    summary: 'Give up what is still owed',
    access: LIVE_NEEDS_ADMIN,
  }),
};
