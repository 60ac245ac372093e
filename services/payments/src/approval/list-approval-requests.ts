import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { listApprovalRequests as contract } from '@tollgate/contracts/payments/rpc';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { pageReply, parsePageRequest, readPage } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import { approvalView } from './approval-request.ts';
import type { ApprovalStore } from './approval-store.ts';

/** @throws Problem `forbidden`, also for a token without access to live; `invalid-request` for an unknown cursor */
export async function listApprovalRequests(
  { approvals }: { approvals: ApprovalStore },
  actor: Actor,
  { payment_id, status, ...pageRequest }: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  requireRole(actor, 'viewer', 'read approval requests');
  requireEnvironment(actor, 'live');
  const page = await readPage(parsePageRequest(pageRequest), async (query) => {
    const found = await approvals.list(actor.team_id, { payment_id, status }, query);
    return found.map(approvalView);
  });
  return pageReply(page, (request) => request);
}
