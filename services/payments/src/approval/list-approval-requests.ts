import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { listApprovalRequests as contract } from '@tollgate/contracts/payments/rpc';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { type KeysetQuery, pageReply, parsePageRequest, readPage } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { approvalView } from './approval-request.ts';

/** @throws Problem `forbidden`, also for a token without access to live; `invalid-request` for an unknown cursor */
export async function listApprovalRequests(
  { approvals }: Context,
  actor: Actor,
  request: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  requireRole(actor, 'viewer', 'read approval requests');
  requireEnvironment(actor, 'live');
  const list = (query: KeysetQuery) => approvals.list(actor.team_id, request, query);
  return pageReply(await readPage(parsePageRequest(request), list), approvalView);
}
