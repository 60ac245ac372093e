import { Problem } from '@tollgate/contracts/platform/problem';
import { hasMoneyOf } from '@tollgate/processor-adapter/contract/has-money-of';
import type { Callback } from '@tollgate/processor-adapter/contract/payment-state';
import type { Context } from '../context.ts';
import { paymentNotFound } from '../lifecycle/find-payment.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { applyState } from './apply-state.ts';

/**
 * Writes what a processor reports by itself. Callbacks may be repeated and late: a final status, and `processing`, can be
 * written in any order. It is unknown which of two actions for the payer is newer, and whether an amount that is not the
 * payment's is the last one, so a worker asks the processor.
 *
 * @throws Problem `payment-not-found`, also for payments of other processors, `conflict`, `unavailable`
 */
export async function receiveCallback(
  context: Context,
  processor: string,
  callback: Callback,
): Promise<void> {
  const { store, verified, clock } = context;
  await retryUntilConfirmed(async () => {
    const payment = await store.findOfProcessor(processor, callback.payment_id);
    if (!payment) throw paymentNotFound();
    if (!verified.isVerified(payment)) throw notVerified(payment);
    const now = new Date(clock.now());
    const record = {
      at: now,
      call: 'callback',
      duration_ms: 0,
      status: callback.status,
      error: null,
    } as const;
    const isUndecided = callback.status === 'action_required' || !hasMoneyOf(payment, callback);
    if (isUndecided && !isFinal(payment.status)) {
      return store.updateSettlement(payment, { due_at: now, fence: payment.settlement.fence + 1 }, record);
    }
    if (callback.status === 'processing' && payment.status === 'processing') {
      // Nothing new. The time of the next call and the claim of a worker stay as they are, so that its reply is used.
      return store.updateSettlement(payment, { fence: payment.settlement.fence }, record);
    }
    return applyState(context, payment, callback, record);
  });
}

function notVerified({ _id }: PaymentDocument): Problem {
  return new Problem(
    'conflict',
    `The stored payment ${_id} failed its integrity check. Contact the operator.`,
  );
}
