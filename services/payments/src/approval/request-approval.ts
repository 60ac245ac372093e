import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPROVAL_LIMITS } from '@tollgate/contracts/payments/settlement-approval';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { insertAudited } from '@tollgate/store/audited-records';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { Context } from '../context.ts';
import { isSameOutcome, type PaymentDocument, type SettlementOutcome } from '../lifecycle/payment.ts';
import { type ApprovalDocument, actingMember, approvalEntry } from './approval-request.ts';
import { expire } from './expire-requests.ts';

/**
 * Stores a member's request to settle a payment. Repeating it returns the open request.
 *
 * @returns null when another request was first, and the caller must read again
 * @throws Problem `forbidden` for an API token, `conflict` when another request is open
 */
export async function requestApproval(
  context: Context,
  actor: Actor,
  payment: PaymentDocument,
  outcome: SettlementOutcome,
): Promise<ApprovalDocument | null> {
  // A member who creates a token could otherwise request with it, and approve as a member.
  if (actor.type !== 'member') throw membersOnly();
  const { approvals, clock } = context;
  const at = new Date(clock.now());
  const open = await approvals.findOpen(actor.team_id, payment._id);
  if (open && open.expires_at > at) return repeated(open, actor.member_id, outcome);
  if (open) await expire(context, open);
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
  const entry = approvalEntry('payment.settlement_requested', request, { actor, at });
  const isFirst = await wroteUnlessDuplicate(insertAudited(context, approvals, request, entry));
  return isFirst ? request : null;
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
