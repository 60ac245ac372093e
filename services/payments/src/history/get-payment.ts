import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Payment } from '@tollgate/contracts/payments/payment';
import type { Context } from '../context.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { paymentNotFound } from '../lifecycle/payment-not-found.ts';
import { ownerOfPrincipal } from '../store/payment-owner.ts';

/**
 * Returns the current payment.
 *
 * @throws Problem `payment-not-found`, also for payments of another application or environment and for malformed ids
 */
export async function getPayment(
  { store }: Context,
  { principal, paymentId }: { principal: Principal; paymentId: string },
): Promise<Payment> {
  const payment = await store.find(ownerOfPrincipal(principal), paymentId);
  if (!payment) throw paymentNotFound();
  return paymentAtVersion(payment);
}
