import type { Bus } from '@tollgate/bus/connection';
import type { RpcServerOptions } from '@tollgate/bus/rpc';
import type { Context } from './context.ts';
import { serveDeliveryRpc } from './rpc/deliveries.ts';
import { serveEndpointRpc } from './rpc/endpoints.ts';
import { serveEventRpc } from './rpc/events.ts';
import { serveRecoveryRpc } from './rpc/recovery.ts';
import { serveSignatureRpc } from './rpc/signatures.ts';

/** Serves `rpc.webhooks.*`. `stop` resolves when requests in flight have their reply. */
export function serveWebhooksRpc(
  bus: Bus,
  context: Context,
  options: RpcServerOptions,
): { stop(): Promise<void> } {
  const servers = [
    serveEndpointRpc,
    serveDeliveryRpc,
    serveRecoveryRpc,
    serveEventRpc,
    serveSignatureRpc,
  ].flatMap((serve) => serve(bus, context, options));
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
