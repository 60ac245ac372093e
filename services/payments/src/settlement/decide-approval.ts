import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { approveSettlement as contract } from '@tollgate/contracts/payments/rpc';
import type { ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';
import { recordAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import {
  type ApprovalDocument,
  actingMember,
  approvalEntry,
  approvalView,
  withoutText,
} from '../approval/approval-request.ts';
import { OPEN } from '../approval/approval-store.ts';
import type { Context } from '../context.ts';
import { causeOfActor, type PaymentDocument } from '../lifecycle/payment.ts';
import { LEASE_MS } from '../processing/claim.ts';
import { endPayment, findEndable } from './end-payment.ts';
import { assertMaySettle } from './settle-payment.ts';

/**
 * Settles a payment as another member requested. Of several approvals, one is first. After a crash between the approval and
 * the settlement, a repetition or a periodic task (`finishApprovals`) continues the settlement.
 *
 * @throws Problem `not-found`, `forbidden` for the requester, `reauthentication-required`, `conflict`, `unavailable`
 */
export async function approveSettlement(
  context: Context,
  actor: MemberActor,
  { approval_request_id }: Static<typeof contract.request>,
  requestId: string | null,
): Promise<ApprovalRequest> {
  const request = await findDecidable(context, actor, approval_request_id);
  assertIsNotRequester(actor, request);
  requireRecentAuthentication(actor, context.clock.now(), 'approve a settlement');
  const settlement = { actor, paymentId: request.payment_id, outcome: request.outcome, requestId };
  // Nothing is approved that cannot be settled.
  const { payment } = await findEndable(context, settlement, assertMaySettle);
  const approved = isContinued(request, actor)
    ? request
    : await decide(context, request, actor, approval(context, request, { actor, payment, requestId }));
  await endPayment(context, settlement, assertMaySettle);
  await context.approvals.finish(approved);
  return approvalView(approved);
}

/**
 * Rejects a request. The requester withdraws it in this way. Repeating it returns the request.
 *
 * @throws Problem `not-found`, `forbidden`, `conflict`
 */
export async function rejectSettlement(
  context: Context,
  actor: MemberActor,
  { approval_request_id }: Static<typeof contract.request>,
): Promise<ApprovalRequest> {
  const request = await findDecidable(context, actor, approval_request_id);
  const isRepeated = request.status === 'rejected' && request.decided_by?.id === actor.member_id;
  const outcome = withoutText(request.outcome);
  return approvalView(
    isRepeated ? request : await decide(context, request, actor, { status: 'rejected', outcome }),
  );
}

async function findDecidable(
  { approvals }: Context,
  actor: MemberActor,
  requestId: string,
): Promise<ApprovalDocument> {
  const request = await approvals.find(actor.team_id, requestId);
  if (!request) throw new Problem('not-found', 'Approval request not found.');
  requireRole(actor, 'admin', 'decide about settlements of live payments');
  return request;
}

function assertIsNotRequester({ member_id }: MemberActor, { requested_by }: ApprovalDocument): void {
  if (requested_by.id !== member_id) return;
  throw new Problem(
    'forbidden',
    'You requested this settlement, so another member must approve it. You can withdraw the request.',
  );
}

/** Whether the member approved the request before, so that only the settlement may be missing. */
function isContinued({ status, decided_by }: ApprovalDocument, { member_id }: MemberActor): boolean {
  return status === 'approved' && decided_by?.id === member_id;
}

type Decision = Pick<ApprovalDocument, 'status'> & Partial<Pick<ApprovalDocument, 'outcome' | 'settlement'>>;

function approval(
  { seals, clock }: Context,
  { outcome }: ApprovalDocument,
  { actor, payment, requestId }: { actor: MemberActor; payment: PaymentDocument; requestId: string | null },
): Decision {
  const decision = { cause: causeOfActor(actor), request_id: requestId };
  const seal = seals.sealDecision(payment, { outcome, ...decision });
  const due_at = new Date(clock.now() + LEASE_MS);
  return { status: 'approved', settlement: { ...decision, due_at, seal } };
}

/**
 * Only the first of several decisions is stored, and no approval by the requester: the conditions are part of the write.
 *
 * @throws Problem `conflict` when the request is no longer open, or the member who approves it requested it
 */
export async function decide(
  context: Context,
  request: ApprovalDocument,
  actor: MemberActor,
  decision: Decision,
): Promise<ApprovalDocument> {
  const { _id, team_id } = request;
  const at = new Date(context.clock.now());
  const [action, byOther] =
    decision.status === 'approved'
      ? (['payment.settlement_approved', { 'requested_by.id': { $ne: actor.member_id } }] as const)
      : (['payment.settlement_rejected', {}] as const);
  const open = { _id, team_id, ...OPEN, expires_at: { $gt: at }, ...byOther };
  const entry = approvalEntry(action, request, { actor, at });
  const decided = { ...decision, decided_by: actingMember(actor), decided_at: at };
  if (await recordAudited(context, context.approvals, open, entry, decided))
    return { ...request, ...decided };
  throw await notOpen(context, request);
}

async function notOpen({ approvals }: Context, { team_id, _id }: ApprovalDocument): Promise<Problem> {
  const now = await approvals.find(team_id, _id);
  const state = now?.status === 'open' || !now ? 'expired' : now.status;
  const by = now?.decided_by ? ` by ${now.decided_by.name}` : '';
  return new Problem('conflict', `The request is already ${state}${by}.`);
}
