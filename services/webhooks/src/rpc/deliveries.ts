import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { rowsBeside } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import { maySeeResponses } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { attemptsLeft } from '../deliveries/delivery.ts';
import type { DeliveryFilter } from '../deliveries/delivery-store.ts';
import { findDelivery } from '../deliveries/find-delivery.ts';
import { getAttempt } from '../deliveries/get-attempt.ts';
import { listDeliveries } from '../deliveries/list-deliveries.ts';
import { withReceiver, withReceivers } from '../deliveries/with-receivers.ts';
import { attemptDetailToWire, attemptToWire, deliveryToWire } from '../wire.ts';

export function serveDeliveryRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.listDeliveries, async (request, { actor }) => {
      const { team_id: teamId } = actor;
      const filter = { ...filterOf(request), environment: narrowEnvironment(actor, request.environment) };
      const page = await context.queries.run(teamId, () =>
        listDeliveries(context, teamId, filter, parsePageRequest(request)),
      );
      const rows = await withReceivers(context, teamId, page.rows);
      return pageReply({ ...page, rows }, deliveryToWire);
    }),
    serve(contract.getDelivery, async (request, { actor }) => {
      const delivery = await findDelivery(context, actor, request.delivery_id);
      const attempts = await context.deliveries.findAttempts(actor.team_id, delivery.id);
      const shown = {
        ...deliveryToWire(await withReceiver(context, delivery)),
        attempts_left: attemptsLeft(delivery),
      };
      const showsResponses = maySeeResponses(actor, delivery.environment);
      const log = attempts.map((attempt) => attemptToWire(attempt, { showsResponses }));
      // From the newest, which is the last.
      return { ...shown, attempt_log: rowsBeside(shown, log.reverse()).reverse() };
    }),
    serve(contract.getAttempt, async (request, { actor }) => {
      const ref = { deliveryId: request.delivery_id, attemptId: request.attempt_id };
      const read = await getAttempt(context, actor, ref);
      return attemptDetailToWire(read, { showsResponses: maySeeResponses(actor, read.environment) });
    }),
  ];
}

function filterOf(
  request: Static<typeof contract.listDeliveries.request>,
): Omit<DeliveryFilter, 'environment'> {
  const { created_from: from, created_to: to } = request;
  return {
    applicationId: request.application_id,
    endpointId: request.endpoint_id,
    eventId: request.event_id,
    paymentId: request.payment_id,
    eventType: request.event_type,
    status: request.status,
    createdFrom: from === undefined ? undefined : new Date(from),
    createdTo: to === undefined ? undefined : new Date(to),
  };
}
