import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { Context } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { withReceiver } from '../deliveries/with-receivers.ts';
import { cancelDelivery } from '../recovery/cancel-delivery.ts';
import { recoverEndpoint } from '../recovery/recover-endpoint.ts';
import { replayMissing } from '../recovery/replay-missing.ts';
import { resendDelivery } from '../recovery/resend-delivery.ts';
import { sendTestEvent } from '../recovery/send-test-event.ts';
import { deliveryToWire } from '../wire.ts';

export function serveRecoveryRpc(serve: ServeRpc, context: Context) {
  const toWire = async (delivery: Delivery) => deliveryToWire(await withReceiver(context, delivery));

  return [
    serve(contract.resendDelivery, async (request, { actor }) =>
      toWire(await resendDelivery(context, actor, { deliveryId: request.delivery_id })),
    ),
    serve(contract.cancelDelivery, async (request, { actor }) =>
      toWire(await cancelDelivery(context, actor, { deliveryId: request.delivery_id })),
    ),
    serve(contract.recoverEndpoint, async (request, { actor }) => ({
      deliveries: await recoverEndpoint(context, actor, periodOf(request)),
    })),
    serve(contract.replayMissing, async (request, { actor }) => {
      const wanted = { ...periodOf(request), after: request.cursor ?? null };
      const { count, lastEventId } = await replayMissing(context, actor, wanted);
      return { deliveries: count, next_cursor: lastEventId };
    }),
    serve(contract.sendTestEvent, async (request, { actor }) => {
      const wanted = { endpointId: request.endpoint_id, eventType: request.event_type };
      return toWire(await sendTestEvent(context, actor, wanted));
    }),
  ];
}

function periodOf(request: { endpoint_id: string; since: string }) {
  return { endpointId: request.endpoint_id, since: new Date(request.since) };
}
