import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { ProcessorCall } from '@tollgate/contracts/payments/processors';
import type { PaymentStore } from '../store/payment-store.ts';
import { findReadable } from './get-payment-detail.ts';

/**
 * Returns the newest calls to the payment's processor, oldest first.
 *
 * @throws Problem `not-found`, also for other teams' payments
 */
export async function listProcessorCalls(
  deps: { store: PaymentStore },
  actor: Actor,
  paymentId: string,
): Promise<ProcessorCall[]> {
  const { processor_calls = [] } = await findReadable(deps, actor, paymentId);
  return processor_calls.map((call) => ({ ...call, at: call.at.toISOString() }));
}
