import type { Bus } from '@tollgate/bus/connection';
import { type RpcServerOptions, serveRpc } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { deleteSandboxData as contract } from '@tollgate/contracts/webhooks/rpc';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import { deleteSandboxData, type SandboxResetDeps } from '../sandbox-reset/delete-sandbox-data.ts';

export function serveSandboxResetRpc(
  bus: Bus,
  deps: SandboxResetDeps & { verifyReset: VerifyMessage },
  options: RpcServerOptions,
) {
  return serveRpc(
    bus,
    contract,
    async (order) => {
      const reason = deps.verifyReset(order);
      if (reason !== null) throw new Problem('forbidden', reason);
      return deleteSandboxData(deps, order.team_id, new Date(order.created_before));
    },
    options,
  );
}
