import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import type { cancelPayment as contract } from '@tollgate/contracts/payments/rpc';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { findPayment } from '../lifecycle/find-payment.ts';
import { causeOfActor } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { assertCanceled, cancelOrRequest, cancelUntilConfirmed } from './cancel-payment.ts';

/** Below the deadline of the RPC. The call to the processor continues after that. */
const MEMBER_WAITS_MS = 3 * SECOND_MS;

/**
 * Cancels a pending payment for a member or an API token, under the rules for applications: if its processor has started
 * it, the processor decides, and the payment is pending until it has. Repeating the request is safe at every point.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `payment-not-cancelable`, `unavailable`
 */
export async function cancelForActor(
  context: Context,
  actor: Actor,
  { payment_id, cancellation_reason: reason = null }: Static<typeof contract.request>,
  requestId: string | null,
): Promise<PaymentDetail> {
  const payment = await retryUntilConfirmed(async () => {
    const found = await findPayment(context, actor, payment_id);
    requireRole(actor, ROLE_BY_ENVIRONMENT[found.environment], `cancel ${found.environment} payments`);
    const changed = await cancelOrRequest(context, found, {
      cause: causeOfActor(actor),
      requestId,
      reason,
      cancelKey: null,
    });
    return changed && cancelUntilConfirmed(context, changed, MEMBER_WAITS_MS);
  });
  assertCanceled(payment);
  return paymentDetail(payment);
}
