import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serveRpcs } from '@tollgate/bus/rpc';
import type { Context } from './context.ts';
import { serveDeliveryRpc } from './rpc/deliveries.ts';
import { serveEndpointRpc } from './rpc/endpoints.ts';
import { serveEventRpc } from './rpc/events.ts';
import { serveRecoveryRpc } from './rpc/recovery.ts';
import { serveSignatureRpc } from './rpc/signatures.ts';

/** Serves `rpc.webhooks.*`. */
export function serveWebhooksRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const groups = [serveEndpointRpc, serveDeliveryRpc, serveRecoveryRpc, serveEventRpc, serveSignatureRpc];
  return serveRpcs(bus, options, (serve) => groups.flatMap((group) => group(serve, context)));
}
