import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { paymentNotFoundInTeam } from '../lifecycle/payment-not-found.ts';
import type { Processors } from '../processors/processor.ts';
import { differenceView } from '../reconciliation/difference.ts';
import type { DifferenceStore } from '../reconciliation/difference-store.ts';
import type { PaymentStore } from '../store/payment-store.ts';

/** @throws Problem `not-found`, also for other teams' payments */
export async function getPaymentDetail(
  deps: { store: PaymentStore; differences: DifferenceStore; processors: Processors },
  actor: Actor,
  paymentId: string,
): Promise<PaymentDetail> {
  const payment = await findReadable(deps, actor, paymentId);
  const detail = paymentDetail(payment);
  const reference = detail.processor_reference;
  const processor = deps.processors.get(detail.processor);
  const difference = await deps.differences.findOfPayment(payment);
  return {
    ...detail,
    processor_url: reference === null ? null : (processor?.urlOf(reference) ?? null),
    difference: difference && differenceView(difference),
  };
}

/** Returns the payment if this member may read it. Throws what getPaymentDetail throws. */
export async function findReadable(
  { store }: { store: PaymentStore },
  actor: Actor,
  paymentId: string,
): Promise<PaymentDocument> {
  requireRole(actor, 'viewer', 'read payments');
  const payment = await store.findOfTeam(actor.team_id, paymentId);
  if (!payment) throw paymentNotFoundInTeam();
  requireEnvironment(actor, payment.environment);
  return payment;
}
