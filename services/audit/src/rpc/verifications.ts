import type { Bus } from '@tollgate/bus/connection';
import { type RpcServerOptions, serveRpc } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/problem';
import * as contract from '@tollgate/contracts/rpc/audit';
import type { Context } from '../context.ts';
import { startVerification } from '../verification/start-verification.ts';

export function serveVerificationRpc(bus: Bus, context: Context, options: RpcServerOptions) {
  const { verifications } = context;
  return [
    serveRpc(
      bus,
      contract.startVerification,
      (_request, { actor, idempotentCall }) => startVerification(context, actor, idempotentCall),
      options,
    ),
    serveRpc(
      bus,
      contract.getVerification,
      async ({ verification_id }, { actor }) => {
        const verification = await verifications.find(actor.team_id, verification_id);
        if (verification) return verification;
        throw new Problem('not-found', `Your team's audit log has no verification ${verification_id}.`);
      },
      options,
    ),
    serveRpc(
      bus,
      contract.latestVerification,
      async (_request, { actor }) => ({ verification: await verifications.findLatest(actor.team_id) }),
      options,
    ),
  ];
}
