import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serveRpcs } from '@tollgate/bus/rpc';
import type { Context } from './context.ts';
import { serveExportRpc } from './rpc/exports.ts';
import { serveHeadRpc } from './rpc/heads.ts';
import { serveRecordRpc } from './rpc/records.ts';
import { serveVerificationRpc } from './rpc/verifications.ts';

/** Serves `rpc.audit.*`. */
export function serveAuditRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const groups = [serveRecordRpc, serveHeadRpc, serveVerificationRpc, serveExportRpc];
  return serveRpcs(bus, options, (serve) => groups.flatMap((group) => group(serve, context)));
}
