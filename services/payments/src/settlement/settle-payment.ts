import type { Actor } from '@tollgate/contracts/accounts/actor';
import { MANUAL_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { settlePayment as contract } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import { needsApproval } from '../approval/approval-policy.ts';
import { type ApprovalDocument, approvalView } from '../approval/approval-request.ts';
import { requestApproval } from '../approval/request-approval.ts';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { endPayment, findEndable, readOutcome } from './end-payment.ts';

/**
 * Records the decision of a member or an API token on a payment of the manual processor. If the team's policy requires a
 * second member, stores a request for approval instead. Repeating a completed decision returns the payment unchanged.
 *
 * The policy is read from this service's own database for every settlement: without it, nothing is settled.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `reauthentication-required` where the policy requires a second
 * member, `conflict`, `unavailable`
 */
export async function settlePayment(
  context: Context,
  actor: Actor,
  { payment_id, ...sent }: Static<typeof contract.request>,
  requestId: string | null,
): Promise<Static<typeof contract.reply>> {
  const outcome = readOutcome(sent.outcome);
  const request = { actor, paymentId: payment_id, outcome, requestId };
  const { payment, hasEnded } = await findEndable(context, request, assertMaySettle);
  // Neither the amount nor the currency of a payment ever changes.
  if (!hasEnded && needsApproval(await context.policies.find(payment.team_id), payment)) {
    requireRecentAuthentication(actor, context.clock.now(), 'request a settlement of this amount');
    const approval = await retryUntilConfirmed<ApprovalDocument>(() =>
      requestApproval(context, actor, payment, outcome),
    );
    return { ...paymentDetail(payment), approval_request: approvalView(approval) };
  }
  return { ...paymentDetail(await endPayment(context, request, assertMaySettle)), approval_request: null };
}

/** @throws Problem `forbidden`, or `conflict` when a processor settles the payment */
export function assertMaySettle(actor: Actor, { environment, settlement }: PaymentDocument): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `settle ${environment} payments`);
  if (settlement.processor === MANUAL_PROCESSOR) return;
  throw new Problem(
    'conflict',
    `The processor "${settlement.processor}" settles this payment. Only payments of the processor "${MANUAL_PROCESSOR}" can be settled manually.`,
  );
}
