import type { Bus } from '@tollgate/bus/connection';
import type { RpcServerOptions } from '@tollgate/bus/rpc';
import type { Context } from './context.ts';
import { serveExportRpc } from './rpc/exports.ts';
import { serveHeadRpc } from './rpc/heads.ts';
import { serveRecordRpc } from './rpc/records.ts';
import { serveVerificationRpc } from './rpc/verifications.ts';

/** Serves `rpc.audit.*`. `stop` resolves when requests in flight have their replies. */
export function serveAuditRpc(
  bus: Bus,
  context: Context,
  options: RpcServerOptions,
): { stop(): Promise<void> } {
  const servers = [serveRecordRpc, serveHeadRpc, serveVerificationRpc, serveExportRpc].flatMap((serve) =>
    serve(bus, context, options),
  );
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
