import type { ServeRpc } from '@tollgate/bus/rpc';
import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import * as contract from '@tollgate/contracts/audit/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { rowsBeside } from '@tollgate/store/page-budget';
import type { Context } from '../context.ts';
import { startVerification } from '../verification/start-verification.ts';

export function serveVerificationRpc(serve: ServeRpc, context: Context) {
  const { verifications } = context;
  return [
    serve(contract.startVerification, async (_request, { actor, idempotentCall }) =>
      toWire(await startVerification(context, actor, idempotentCall)),
    ),
    serve(contract.getVerification, async ({ verification_id }, { actor }) => {
      const verification = await verifications.find(actor.team_id, verification_id);
      if (verification) return toWire(verification);
      throw new Problem('not-found', `Your team's audit log has no verification ${verification_id}.`);
    }),
    serve(contract.latestVerification, async (_request, { actor }) => {
      const latest = await verifications.findLatest(actor.team_id);
      return { verification: latest && toWire(latest) };
    }),
  ];
}

/** The verification with the findings that fit: they repeat ids from the database, which an intruder may have made as long as they like. */
function toWire(verification: AuditVerification): AuditVerification {
  const { findings, ...rest } = verification;
  return { ...verification, findings: rowsBeside(rest, findings) };
}
