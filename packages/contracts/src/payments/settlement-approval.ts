import Type, { type Static } from 'typebox';
import { DAY_MS } from '../platform/durations.ts';
import { MAX_AMOUNT } from '../platform/money.ts';
import { ClosedObject, Id, Nullable, Time, TimeOf } from '../platform/schema.ts';
import { Payment } from './payment.ts';

export const APPROVAL_LIMITS = {
  thresholds: 200,
  /** A request that nobody decides expires. Longer than a weekend. */
  requestExpiresAfterMs: 3 * DAY_MS,
} as const;

export const APPROVAL_STATUSES = ['open', 'approved', 'rejected', 'expired'] as const;

/** Above this amount, a second member must approve the settlement of a live payment. 0: always. */
export const ApprovalThreshold = ClosedObject({
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 currency code' }),
  amount: Type.Integer({
    minimum: 0,
    maximum: MAX_AMOUNT,
    description:
      'Amount in minor units. Settling a live payment above it needs the approval of a second member',
  }),
});
export type ApprovalThreshold = Static<typeof ApprovalThreshold>;

/** Which settlements of a team need the approval of a second member. A currency without a threshold needs none. */
export const ApprovalPolicy = Type.Object({
  thresholds: Type.Array(ApprovalThreshold),
  version: Type.Integer({ minimum: 1 }),
});
export type ApprovalPolicy = Static<typeof ApprovalPolicy>;

/** A member, with the name at that time. */
const ActingMember = Type.Object({ id: Id('member'), name: Type.String() });
export type ActingMember = Static<typeof ActingMember>;

/** A member's request to settle a live payment, which another member must approve. */
export const ApprovalRequest = Type.Object({
  id: Id('approvalRequest'),
  payment_id: Id('payment'),
  application_id: Id('application'),
  amount: Payment.properties.amount,
  currency: Payment.properties.currency,
  outcome: Type.Object({
    status: Type.Enum(['succeeded', 'failed'] as const),
    failure: Payment.properties.failure,
  }),
  status: Type.Enum(APPROVAL_STATUSES),
  requested_by: ActingMember,
  requested_at: Time,
  expires_at: TimeOf('From then on, the request cannot be approved'),
  decided_by: Nullable(ActingMember, 'Who approved, rejected, or withdrew the request'),
  decided_at: Nullable(Time),
});
export type ApprovalRequest = Static<typeof ApprovalRequest>;
