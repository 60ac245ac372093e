import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { ActingMember, ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import { newId } from '@tollgate/contracts/platform/ids';
import { type AuditAuthor, actorAuthor, SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import type { MemberDecision, PaymentDocument, SettlementOutcome } from '../lifecycle/payment.ts';

/** A request for approval as stored. It never changes, except for its status, its decision, and what the decision leads to. */
export interface ApprovalDocument
  extends Pick<PaymentDocument, 'team_id' | 'application_id' | 'amount' | 'currency'> {
  _id: string;
  payment_id: string;
  outcome: SettlementOutcome;
  status: ApprovalRequest['status'];
  requested_by: ActingMember;
  requested_at: Date;
  expires_at: Date;
  decided_by: ActingMember | null;
  decided_at: Date | null;
  /** Written with the approval, so that a crash before the settlement does not lose it. Absent once the payment has ended. */
  settlement?: ApprovedSettlement;
  /** Audit entries that the audit log has not confirmed. */
  outbox: SignedAuditEntry[];
}

/** The settlement of an approved request, besides its outcome. */
export interface ApprovedSettlement extends Pick<MemberDecision, 'cause' | 'request_id'> {
  /** When a worker completes it, unless the instance that received the approval has. */
  due_at: Date;
  /** Seal of the decision: a request that this service did not approve settles nothing. */
  seal: string;
}

export function actingMember({ member_id, name }: MemberActor): ActingMember {
  return { id: member_id, name };
}

export function approvalView(document: ApprovalDocument): ApprovalRequest {
  const { _id, payment_id, application_id, amount, currency, outcome, status } = document;
  const { requested_by, requested_at, expires_at, decided_by, decided_at } = document;
  return {
    id: _id,
    payment_id,
    application_id,
    amount,
    currency,
    outcome: {
      status: outcome.status,
      failure: outcome.status === 'failed' ? outcome.failure : null,
    },
    status,
    requested_by,
    requested_at: requested_at.toISOString(),
    expires_at: expires_at.toISOString(),
    decided_by,
    decided_at: decided_at?.toISOString() ?? null,
  };
}

/** The audit entry of one step. `actor` is null for an expiry. */
export function approvalEntry(
  action: AuditAction,
  { _id, team_id, application_id, payment_id, outcome, amount, currency }: ApprovalDocument,
  { actor, at }: { actor: MemberActor | null; at: Date },
): AuditEntry {
  const author: AuditAuthor = actor ? actorAuthor(actor) : SYSTEM_AUTHOR;
  // The message of a failure is text of a member, which the audit log could not erase.
  const code = outcome.status === 'failed' ? outcome.failure.code : null;
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id,
    environment: 'live',
    ...author,
    action,
    target: { type: 'payment', id: payment_id, name: null },
    application_id,
    changes: {
      approval_request: { before: null, after: _id },
      outcome: { before: null, after: outcome.status },
      ...(code !== null && { failure_code: { before: null, after: code } }),
      amount: { before: amount, after: amount },
      currency: { before: currency, after: currency },
    },
  };
}
