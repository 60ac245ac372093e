import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import type { ActingMember, ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import { actorAuthor, SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { jsonOf } from '@tollgate/store/json-of';
import {
  AUDITED_FIELDS,
  nullableDate,
  nullableShape,
  optionalShape,
  RECORD_OPTIONS,
  shape,
  textOf,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import { auditEntry } from '../audit/audit-entry.ts';
import type { MemberDecision, SettlementOutcome } from '../lifecycle/payment.ts';

/** Name of the collection, one of the service's audited ones. */
export const APPROVAL_REQUESTS = 'approval_requests';

/** The settlement of an approved request, besides its outcome. */
interface ApprovedSettlement extends Pick<MemberDecision, 'cause' | 'request_id'> {
  /** When a worker completes it, unless the instance that received the approval has. */
  due_at: Date;
  /** Seal of the decision: a request that this service did not approve settles nothing. */
  seal: string;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  payment_id: { type: String, required: true },
  amount: { type: Number, required: true },
  currency: { type: String, required: true },
  outcome: shape<SettlementOutcome>(),
  status: textOf<ApprovalRequest['status']>(),
  requested_by: shape<ActingMember>(),
  requested_at: { type: Date, required: true },
  expires_at: { type: Date, required: true },
  decided_by: nullableShape<ActingMember>(),
  decided_at: nullableDate(),
  /** Written with the approval, so that a crash before the settlement does not lose it. Absent once the payment has ended. */
  settlement: optionalShape<ApprovedSettlement>(),
  outbox: AUDITED_FIELDS.outbox,
} as const;

/** A request for approval. It never changes, except for its status, its decision, and what the decision leads to. */
export type ApprovalDocument = InferRawDocType<typeof definition>;

export const approvalSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: APPROVAL_REQUESTS });

export function actingMember({ member_id, name }: MemberActor): ActingMember {
  return { id: member_id, name };
}

/** A member's words about a failure, which may contain personal data, are not kept once the request is decided. */
export function withoutText(outcome: SettlementOutcome): SettlementOutcome {
  return outcome.status === 'failed' ? { ...outcome, failure: { ...outcome.failure, message: '' } } : outcome;
}

export function approvalView({ _id, outcome, ...request }: ApprovalDocument): ApprovalRequest {
  const { team_id: _, settlement: __, outbox: ___, ...shown } = jsonOf(request);
  const failure = outcome.status === 'failed' ? outcome.failure : null;
  return { ...shown, id: _id, outcome: { status: outcome.status, failure } };
}

/** The audit entry of one step. `actor` is null for an expiry. */
export function approvalEntry(
  action: AuditAction,
  { _id, team_id, application_id, payment_id, outcome, amount, currency }: ApprovalDocument,
  { actor, at }: { actor: MemberActor | null; at: Date },
): AuditEntry {
  // The message of a failure is text of a member, which the audit log could not erase.
  const code = outcome.status === 'failed' ? outcome.failure.code : null;
  return auditEntry(action, actor ? actorAuthor(actor) : SYSTEM_AUTHOR, at, {
    team_id,
    environment: 'live',
    application_id,
    target: { type: 'payment', id: payment_id, name: null },
    changes: {
      approval_request: { before: null, after: _id },
      outcome: { before: null, after: outcome.status },
      ...(code !== null && { failure_code: { before: null, after: code } }),
      amount: { before: amount, after: amount },
      currency: { before: currency, after: currency },
    },
  });
}
