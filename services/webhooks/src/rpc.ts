import type { Bus } from '@tollgate/bus/connection';
import { nothing, type RpcServer, type RpcServerOptions, serve } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { wholeList } from '@tollgate/contracts/platform/page';
import { Problem } from '@tollgate/contracts/platform/problem';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { Delivery as WireDelivery } from '@tollgate/contracts/webhooks/webhook';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { rowsBeside } from '@tollgate/store/page-budget';
import { findOwn } from './access/find-own.ts';
import { maySeeResponses } from './access/permissions.ts';
import type { Context } from './context.ts';
import { attemptsLeft, type Delivery } from './deliveries/delivery.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  updateEndpoint,
} from './endpoints/change-endpoint.ts';
import { createEndpoint } from './endpoints/create-endpoint.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { getEndpointHealth } from './endpoints/get-endpoint-health.ts';
import { revealSecret } from './endpoints/reveal-secret.ts';
import { readFeed, requireNoFeedFields } from './feed/read-feed.ts';
import { countRecovery } from './recovery/count-recovery.ts';
import { cancelDelivery, resendDelivery } from './recovery/decide-delivery.ts';
import { recoverEndpoint, replayMissing, sendTestEvent } from './recovery/recover-endpoint.ts';
import { resendDeliveries } from './recovery/resend-deliveries.ts';
import { deleteSandboxData } from './sandbox-reset/delete-sandbox-data.ts';
import { checkSignature } from './signing/check-signature.ts';
import { attemptToWire, deliveriesToWire, endpointToWire, eventToWire } from './wire.ts';

/** Deliveries shown per event. An application has fewer endpoints at a time. */
const MAX_DELIVERIES = 100;

/** Serves `rpc.webhooks.*`. */
export function serveWebhooksRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const { endpoints, deliveries, events, queries } = context;
  const toWire = (endpoint: Endpoint) => endpointToWire(endpoint, new Date(context.clock.now()));
  const oneToWire = async (delivery: Delivery) => {
    const [shown] = await deliveriesToWire(context, delivery.team_id, [delivery]);
    return shown as WireDelivery;
  };

  return serve(
    bus,
    contract,
    {
      createEndpoint: async (request, { actor, idempotentCall }) => {
        const { endpoint, secret } = await createEndpoint(context, actor, request, idempotentCall);
        return { ...toWire(endpoint), secret };
      },
      getEndpoint: async ({ endpoint_id }, { actor }) => toWire(await findOwn(endpoints, actor, endpoint_id)),
      listEndpoints: async (request, { actor: { team_id }, actor }) => {
        const page = await queries.run(team_id, () =>
          endpoints.list(team_id, filterOf(request, actor), parsePageRequest(request)),
        );
        return pageReply(page, toWire);
      },
      updateEndpoint: async (request, { actor }) => toWire(await updateEndpoint(context, actor, request)),
      enableEndpoint: async (request, { actor }) => toWire(await enableEndpoint(context, actor, request)),
      disableEndpoint: async (request, { actor }) => toWire(await disableEndpoint(context, actor, request)),
      deleteEndpoint: (request, { actor }) => nothing(deleteEndpoint(context, actor, request)),
      rotateSecret: async (request, { actor }) => {
        const { endpoint, secret } = await rotateSecret(context, actor, request);
        return { ...toWire(endpoint), secret };
      },
      revealSecret: async ({ endpoint_id }, { actor }) => ({
        secret: await revealSecret(context, actor, endpoint_id),
      }),
      checkSignature: (request, { actor }) => checkSignature(context, actor, request),
      getEndpointHealth: ({ endpoint_id }, { actor }) => getEndpointHealth(context, actor, endpoint_id),
      hasEndpoints: async ({ team_id, application_id }) => ({
        has_endpoints: (await endpoints.count(team_id, application_id)) > 0,
      }),

      listDeliveries: async (request, { actor: { team_id }, actor }) => {
        const page = await queries.run(team_id, () =>
          listDeliveries(context, team_id, filterOf(request, actor), parsePageRequest(request)),
        );
        const rows = await deliveriesToWire(context, team_id, page.rows);
        return pageReply({ ...page, rows }, (row) => row);
      },
      getDelivery: async ({ delivery_id }, { actor }) => {
        const delivery = await findOwn(deliveries, actor, delivery_id);
        const attempts = await deliveries.findAttempts(actor.team_id, delivery_id);
        const shown = { ...(await oneToWire(delivery)), attempts_left: attemptsLeft(delivery) };
        const showsResponses = maySeeResponses(actor, delivery.environment);
        const log = attempts.map((attempt) => attemptToWire(attempt, showsResponses));
        // From the newest, which is the last.
        return { ...shown, attempt_log: rowsBeside(shown, log.reverse()).reverse() };
      },
      /** One attempt with the exact request body and the response. */
      getAttempt: async ({ delivery_id, attempt_id }, { actor }) => {
        const { event_id } = await findOwn(deliveries, actor, delivery_id);
        const attempts = await deliveries.findAttempts(actor.team_id, delivery_id);
        const attempt = attempts.find(({ id }) => id === attempt_id);
        if (!attempt) throw new Problem('not-found', `The delivery has no attempt ${attempt_id}.`);
        const { body, environment } = await findOwn(events, actor, event_id);
        const showsResponses = maySeeResponses(actor, environment);
        return {
          ...attemptToWire(attempt, showsResponses),
          request_body: body,
          response_body: (showsResponses && attempt.response?.body) || null,
        };
      },
      resendDelivery: async ({ delivery_id }, { actor }) =>
        oneToWire(await resendDelivery(context, actor, delivery_id)),
      resendDeliveries: (request, { actor }) => resendDeliveries(context, actor, request),
      cancelDelivery: async ({ delivery_id }, { actor }) =>
        oneToWire(await cancelDelivery(context, actor, delivery_id)),

      recoverEndpoint: async (request, { actor }) => ({
        deliveries: await recoverEndpoint(context, actor, request),
      }),
      countRecovery: (request, { actor }) => countRecovery(context, actor, request),
      replayMissing: (request, { actor }) => replayMissing(context, actor, request),
      sendTestEvent: async (request, { actor }) => oneToWire(await sendTestEvent(context, actor, request)),

      listEventTypes: async () => wholeList([...EVENT_TYPES]),
      listEvents: async (request, { actor: { team_id }, actor }) => {
        const { order, after: _, wait: __, ...wanted } = request;
        const filter = filterOf(wanted, actor);
        if (order === 'asc') return readFeed(context, team_id, filter, request);
        requireNoFeedFields(request);
        const page = await queries.run(team_id, () =>
          events.list(team_id, filter, parsePageRequest(request)),
        );
        return pageReply(page, eventToWire);
      },
      getEvent: async ({ event_id }, { actor }) => {
        const event = await findOwn(events, actor, event_id);
        const own = await deliveries.listOfEvent(actor.team_id, event_id, MAX_DELIVERIES);
        const shown = { ...eventToWire(event), body: event.body };
        return {
          ...shown,
          deliveries: rowsBeside(shown, await deliveriesToWire(context, actor.team_id, own)),
        };
      },

      deleteSandboxData: async (order) => {
        const reason = context.verifyReset(order);
        if (reason !== null) throw new Problem('forbidden', reason);
        return deleteSandboxData(context, order.team_id, new Date(order.created_before));
      },
    },
    options,
  );
}

/** What a list selects: the fields of the request, limited to the environments of the actor. */
function filterOf<Wanted extends { environment?: Environment; limit?: number; cursor?: string }>(
  { limit: _, cursor: __, environment: wanted, ...filter }: Wanted,
  actor: Actor,
) {
  const environment = narrowEnvironment(actor, wanted);
  return { ...filter, ...(environment && { environment }) };
}
