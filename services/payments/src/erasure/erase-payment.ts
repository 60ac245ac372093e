import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import type { erasePayment as contract } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { findPayment } from '../lifecycle/find-payment.ts';
import { causeOfActor, erasureOf } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';

const NOT_VERIFIED =
  'The stored payment failed its integrity check: its data was not written by Tollgate. Erasing would hide that. Contact the operator.';

/**
 * Erases the personal data of a payment for a member or an API token. Everything that holds a copy learns of it by the
 * event. A payment that is erased already is returned unchanged.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden`, `conflict` while the payment has not ended,
 * `unavailable`
 */
export async function erasePayment(
  { store, verified, outbox, clock }: Context,
  actor: Actor,
  { payment_id }: Static<typeof contract.request>,
  requestId: string | null,
): Promise<PaymentDetail> {
  return retryUntilConfirmed(async () => {
    const payment = await findPayment({ store }, actor, payment_id);
    const { environment, status } = payment;
    requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `erase the data of ${environment} payments`);
    if (erasureOf(payment)) return paymentDetail(payment);
    if (!isFinal(status)) {
      throw new Problem(
        'conflict',
        `The payment is ${status}. Its data can be erased once it has ended: succeeded, failed, or canceled.`,
      );
    }
    if (!verified.isVerified(payment)) throw new Problem('conflict', NOT_VERIFIED);
    const at = new Date(clock.now());
    const erased = await store.erase(payment, { at, cause: causeOfActor(actor), requestId });
    if (!erased) return null;
    outbox.enqueueLatest(erased);
    return paymentDetail(erased);
  });
}
