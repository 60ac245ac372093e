import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';
import { auditMessage } from '@tollgate/store/audit-outbox';
import {
  type ApprovalDocument,
  actingMember,
  approvalEntry,
  approvalView,
} from '../approval/approval-request.ts';
import { causeOfActor } from '../lifecycle/cause-of-actor.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { LEASE_MS } from '../processing/claim.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import { assertMaySettle } from './assert-may-settle.ts';
import { endPayment, findEndable } from './end-payment.ts';
import type { SettleDeps } from './settle-payment.ts';

export type ApproveDeps = SettleDeps & { seals: Pick<HistorySeals, 'sealDecision'> };

export interface ApprovalDecision {
  actor: MemberActor;
  approvalRequestId: string;
  /** Id of the admin request; null when there is none. */
  requestId: string | null;
}

/**
 * Settles a payment as another member requested. Of several approvals, one is first. After a crash between the approval and
 * the settlement, a repetition or a periodic task (`finishApprovals`) continues the settlement.
 *
 * @throws Problem `not-found`, `forbidden` for the requester, `reauthentication-required`, `conflict`, `unavailable`
 */
export async function approveSettlement(
  deps: ApproveDeps,
  decision: ApprovalDecision,
): Promise<ApprovalRequest> {
  const { actor, requestId } = decision;
  const request = await findDecidable(deps, decision);
  assertIsNotRequester(actor, request);
  requireRecentAuthentication(actor, deps.clock.now(), 'approve a settlement');
  const settlement = { actor, paymentId: request.payment_id, outcome: request.outcome, requestId };
  // Nothing is approved that cannot be settled.
  const { payment } = await findEndable(deps, settlement, assertMaySettle);
  const approved = isContinued(request, actor)
    ? request
    : await approve(deps, request, { actor, payment, requestId });
  await endPayment(deps, settlement, assertMaySettle);
  await deps.approvals.finish(approved);
  return approvalView(approved);
}

/**
 * Rejects a request. The requester withdraws it in this way. Repeating it returns the request.
 *
 * @throws Problem `not-found`, `forbidden`, `conflict`
 */
export async function rejectSettlement(
  deps: SettleDeps,
  decision: ApprovalDecision,
): Promise<ApprovalRequest> {
  const { actor } = decision;
  const request = await findDecidable(deps, decision);
  if (request.status === 'rejected' && request.decided_by?.id === actor.member_id) {
    return approvalView(request);
  }
  const { by, at, audit } = newDecision(deps, 'payment.settlement_rejected', request, actor);
  const rejected = await deps.approvals.reject(request, { by, at, audit });
  if (!rejected) throw await notOpen(deps, request);
  deps.audit.enqueue([auditMessage(request._id, audit)]);
  return approvalView(rejected);
}

async function findDecidable(
  { approvals }: SettleDeps,
  { actor, approvalRequestId }: ApprovalDecision,
): Promise<ApprovalDocument> {
  const request = await approvals.find(actor.team_id, approvalRequestId);
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

async function approve(
  deps: ApproveDeps,
  request: ApprovalDocument,
  { actor, payment, requestId }: { actor: MemberActor; payment: PaymentDocument; requestId: string | null },
): Promise<ApprovalDocument> {
  const { by, at, audit } = newDecision(deps, 'payment.settlement_approved', request, actor);
  const decision = { outcome: request.outcome, cause: causeOfActor(actor), request_id: requestId };
  const settlement = {
    cause: decision.cause,
    request_id: requestId,
    due_at: new Date(at.getTime() + LEASE_MS),
    seal: deps.seals.sealDecision(payment, decision),
  };
  const approved = await deps.approvals.approve(request, { by, at, audit, settlement });
  if (!approved) throw await notOpen(deps, request);
  deps.audit.enqueue([auditMessage(request._id, audit)]);
  return approved;
}

function newDecision(
  { signer, clock }: SettleDeps,
  action: 'payment.settlement_approved' | 'payment.settlement_rejected',
  request: ApprovalDocument,
  actor: MemberActor,
) {
  const at = new Date(clock.now());
  const audit = signAuditEntry(signer, approvalEntry(action, request, { actor, at }));
  return { by: actingMember(actor), at, audit };
}

async function notOpen({ approvals }: SettleDeps, { team_id, _id }: ApprovalDocument): Promise<Problem> {
  const now = await approvals.find(team_id, _id);
  const state = now?.status === 'open' || !now ? 'expired' : now.status;
  const by = now?.decided_by ? ` by ${now.decided_by.name}` : '';
  return new Problem('conflict', `The request is already ${state}${by}.`);
}
