import type { settlePayment as contract } from '@tollgate/contracts/payments/rpc';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import type { Static } from 'typebox';
import { type ApprovalDocument, approvalView } from '../approval/approval-request.ts';
import type { ExpireRequestsDeps } from '../approval/expire-requests.ts';
import { needsApproval } from '../approval/needs-approval.ts';
import type { PolicyStore } from '../approval/policy-store.ts';
import { requestApproval } from '../approval/request-approval.ts';
import type { SettlementOutcome } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { assertMaySettle } from './assert-may-settle.ts';
import { type EndPaymentDeps, type EndPaymentRequest, endPayment, findEndable } from './end-payment.ts';

export type SettleDeps = EndPaymentDeps & ExpireRequestsDeps & { policies: PolicyStore };

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
  deps: SettleDeps,
  request: EndPaymentRequest<SettlementOutcome>,
): Promise<Static<typeof contract.reply>> {
  const { payment, hasEnded } = await findEndable(deps, request, assertMaySettle);
  // Neither the amount nor the currency of a payment ever changes.
  if (!hasEnded && needsApproval(await deps.policies.find(payment.team_id), payment)) {
    requireRecentAuthentication(request.actor, deps.clock.now(), 'request a settlement of this amount');
    const approval = await retryUntilConfirmed<ApprovalDocument>(() =>
      requestApproval(deps, request.actor, payment, request.outcome),
    );
    return { ...paymentDetail(payment), approval_request: approvalView(approval) };
  }
  return { ...paymentDetail(await endPayment(deps, request, assertMaySettle)), approval_request: null };
}
