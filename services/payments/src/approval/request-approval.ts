import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPROVAL_LIMITS } from '@tollgate/contracts/payments/settlement-approval';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { isSameOutcome } from '../lifecycle/is-same-outcome.ts';
import type { PaymentDocument, SettlementOutcome } from '../lifecycle/payment.ts';
import { type ApprovalDocument, actingMember, approvalEntry } from './approval-request.ts';
import { type ExpireRequestsDeps, expire } from './expire-requests.ts';

/**
 * Stores a member's request to settle a payment. Repeating it returns the open request.
 *
 * @returns null when another request was first, and the caller must read again
 * @throws Problem `forbidden` for an API token, `conflict` when another request is open
 */
export async function requestApproval(
  deps: ExpireRequestsDeps,
  actor: Actor,
  payment: PaymentDocument,
  outcome: SettlementOutcome,
): Promise<ApprovalDocument | null> {
  // A member who creates a token could otherwise request with it, and approve as a member.
  if (actor.type !== 'member') throw membersOnly();
  const { approvals, audit, signer, clock } = deps;
  const at = new Date(clock.now());
  const open = await approvals.findOpen(actor.team_id, payment._id);
  if (open && open.expires_at > at) return repeated(open, actor.member_id, outcome);
  if (open) await expire(deps, open);
  const request: ApprovalDocument = {
    _id: newId('approvalRequest'),
    team_id: payment.team_id,
    application_id: payment.application_id,
    payment_id: payment._id,
    amount: payment.amount,
    currency: payment.currency,
    outcome,
    status: 'open',
    requested_by: actingMember(actor),
    requested_at: at,
    expires_at: new Date(at.getTime() + APPROVAL_LIMITS.requestExpiresAfterMs),
    decided_by: null,
    decided_at: null,
    outbox: [],
  };
  const entry = signAuditEntry(signer, approvalEntry('payment.settlement_requested', request, { actor, at }));
  if (!(await approvals.insert({ ...request, outbox: [entry] }))) return null;
  audit.enqueue([auditMessage(request._id, entry)]);
  return request;
}

function repeated(open: ApprovalDocument, memberId: string, outcome: SettlementOutcome): ApprovalDocument {
  if (open.requested_by.id === memberId && isSameOutcome(open.outcome, outcome)) return open;
  throw new Problem(
    'conflict',
    `${open.requested_by.name} has already requested the approval of a settlement of this payment. Approve or reject that request first.`,
  );
}

function membersOnly(): Problem {
  return new Problem(
    'forbidden',
    'Your team requires the approval of a second member to settle a payment of this amount. An API token cannot request it. Settle the payment as a member.',
  );
}
