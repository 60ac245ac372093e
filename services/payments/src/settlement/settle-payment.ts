import type { Actor } from '@tollgate/contracts/actor';
import type { PaymentDetail } from '@tollgate/contracts/payment-history';
import { Problem } from '@tollgate/contracts/problem';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { requireRole } from '@tollgate/security/require-role';
import type { PaymentDocument, SettlementOutcome } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { MANUAL_PROCESSOR } from '../processors/manual-processor.ts';
import { type EndPaymentDeps, type EndPaymentRequest, endPayment } from './end-payment.ts';

/**
 * Records the decision of a member or an API token on a payment of the manual processor. Repeating a completed decision
 * returns the payment unchanged.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `conflict`, `unavailable`
 */
export async function settlePayment(
  deps: EndPaymentDeps,
  request: EndPaymentRequest<SettlementOutcome>,
): Promise<PaymentDetail> {
  return paymentDetail(await endPayment(deps, request, assertMaySettle));
}

function assertMaySettle(actor: Actor, { environment, settlement }: PaymentDocument): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `settle ${environment} payments`);
  if (settlement.processor === MANUAL_PROCESSOR) return;
  throw new Problem(
    'conflict',
    `The processor "${settlement.processor}" settles this payment. Only payments of the processor "${MANUAL_PROCESSOR}" can be settled manually.`,
  );
}
