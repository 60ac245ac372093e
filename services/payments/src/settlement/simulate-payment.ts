import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import { MANUAL_PROCESSOR, SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { simulatePayment as contract } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { endPayment, readOutcome } from './end-payment.ts';

/**
 * Simulates the outcome of a pending or processing sandbox payment on behalf of a member or an API token, regardless of
 * its processor. Only a pending payment can expire. Repeating the outcome returns the payment unchanged.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `conflict`, `unavailable`
 */
export async function simulatePayment(
  context: Context,
  actor: Actor,
  { payment_id, outcome }: Static<typeof contract.request>,
  requestId: string | null,
): Promise<PaymentDetail> {
  const request = { actor, paymentId: payment_id, outcome: readOutcome(outcome), requestId };
  return paymentDetail(await endPayment(context, request, assertMaySimulate));
}

/** The processor of an adapter has its own test mode: a simulated outcome would contradict it. */
const SIMULATED_PROCESSORS = [SANDBOX_PROCESSOR, MANUAL_PROCESSOR];

function assertMaySimulate(actor: Actor, { environment, settlement }: PaymentDocument): void {
  requireRole(actor, 'developer', 'simulate outcomes');
  if (environment !== 'sandbox') {
    throw new Problem(
      'conflict',
      'The payment is in the live environment. Outcomes can only be simulated in the sandbox.',
    );
  }
  if (!SIMULATED_PROCESSORS.includes(settlement.processor)) {
    throw new Problem(
      'conflict',
      `The processor "${settlement.processor}" settles this payment. Use its test mode to reach an outcome.`,
    );
  }
}
