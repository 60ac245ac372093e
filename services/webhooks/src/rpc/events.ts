import type { ServeRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { wholeList } from '@tollgate/contracts/platform/page';
import { Problem } from '@tollgate/contracts/platform/problem';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { rowsBeside } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { withReceivers } from '../deliveries/with-receivers.ts';
import { findEvent } from '../fan-out/find-event.ts';
import { readFeed } from '../feed/read-feed.ts';
import { deliveryToWire, eventToWire } from '../wire.ts';

type ListRequest = Static<typeof contract.listEvents.request>;

/** Deliveries shown per event. An application has fewer endpoints at a time. */
const MAX_DELIVERIES = 100;

export function serveEventRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.listEventTypes, async () => wholeList([...EVENT_TYPES])),
    serve(contract.listEvents, async (request, { actor }) => {
      if (request.order === 'asc') return listInFeed(context, actor, request);
      requireNoFeedFields(request);
      const filter = filterOf(request, actor);
      return pageReply(
        await context.queries.run(actor.team_id, () =>
          context.events.list(actor.team_id, filter, parsePageRequest(request)),
        ),
        eventToWire,
      );
    }),
    serve(contract.getEvent, async (request, { actor }) => {
      const event = await findEvent(context, actor, request.event_id);
      const deliveries = await context.deliveries.listOfEvent(actor.team_id, event.id, MAX_DELIVERIES);
      const addressed = await withReceivers(context, actor.team_id, deliveries);
      const shown = { ...eventToWire(event), body: event.body };
      return { ...shown, deliveries: rowsBeside(shown, addressed.map(deliveryToWire)) };
    }),
  ];
}

function filterOf(request: ListRequest, actor: Actor) {
  return {
    applicationId: request.application_id,
    environment: narrowEnvironment(actor, request.environment),
    type: request.type,
    paymentId: request.payment_id,
  };
}

function listInFeed(context: Context, actor: Actor, request: ListRequest) {
  const { after, cursor, limit, wait = 0 } = request;
  const filter = filterOf(request, actor);
  return readFeed(context, actor, { filter, after, cursor, limit, waitMs: wait * SECOND_MS });
}

function requireNoFeedFields({ after, wait }: ListRequest): void {
  const given = Object.entries({ after, wait }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  throw new Problem('invalid-request', 'The parameters of the feed require order=asc.', {
    errors: given.map(([name]) => ({
      pointer: `/${name}`,
      code: 'invalid' as const,
      detail: 'Only with order=asc.',
    })),
  });
}
