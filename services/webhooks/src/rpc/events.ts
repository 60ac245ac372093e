import type { Bus } from '@tollgate/bus/connection';
import { type RpcServerOptions, serveRpc } from '@tollgate/bus/rpc';
import { EVENT_TYPES } from '@tollgate/contracts/event-types';
import { wholeList } from '@tollgate/contracts/rpc/page';
import * as contract from '@tollgate/contracts/rpc/webhooks';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { rowsBeside } from '@tollgate/store/page-budget';
import type { Context } from '../context.ts';
import { withEndpointUrls } from '../deliveries/with-endpoint-urls.ts';
import { findEvent } from '../fan-out/find-event.ts';
import { deliveryToWire, eventToWire } from '../wire.ts';

/** Deliveries shown per event. An application has fewer endpoints at a time. */
const MAX_DELIVERIES = 100;

export function serveEventRpc(bus: Bus, context: Context, options: RpcServerOptions) {
  return [
    serveRpc(bus, contract.listEventTypes, async () => wholeList([...EVENT_TYPES]), options),
    serveRpc(
      bus,
      contract.listEvents,
      async (request, { actor }) => {
        const filter = {
          applicationId: request.application_id,
          environment: narrowEnvironment(actor, request.environment),
          type: request.type,
          paymentId: request.payment_id,
        };
        return pageReply(
          await context.queries.run(actor.team_id, () =>
            context.events.list(actor.team_id, filter, parsePageRequest(request)),
          ),
          eventToWire,
        );
      },
      options,
    ),
    serveRpc(
      bus,
      contract.getEvent,
      async (request, { actor }) => {
        const event = await findEvent(context, actor, request.event_id);
        const deliveries = await context.deliveries.listOfEvent(actor.team_id, event.id, MAX_DELIVERIES);
        const addressed = await withEndpointUrls(context, actor.team_id, deliveries);
        if (event.environment === 'live')
          await context.reads.note(actor, { of: 'event', request: { event_id: event.id } });
        const shown = { ...eventToWire(event), body: event.body };
        return { ...shown, deliveries: rowsBeside(shown, addressed.map(deliveryToWire)) };
      },
      options,
    ),
  ];
}
