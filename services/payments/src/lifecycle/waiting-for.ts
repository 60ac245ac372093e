import type { WaitingFor } from '@tollgate/contracts/payments/payment';
import { MANUAL_PROCESSOR, SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { SandboxPaymentMethod } from '@tollgate/contracts/payments/sandbox-payment-methods';
import { type HistoryEntry, isCancellationRequested, newestAction, type PaymentDocument } from './payment.ts';

const HOLD: SandboxPaymentMethod = 'pm_hold';

/** Who acts next on the payment while it is pending, after these entries of its history. */
export function waitingFor(
  { settlement: { processor }, payment_method }: Pick<PaymentDocument, 'settlement' | 'payment_method'>,
  history: HistoryEntry[],
): WaitingFor {
  if (isSettledByMember(processor, payment_method)) return 'member';
  return newestAction(history) && !isCancellationRequested({ history }) ? 'payer' : 'processor';
}

/** Whether a member ends the payment, in the sandbox by a simulation, and no processor is called. */
export function isSettledByMember(processor: string, paymentMethod: string | null): boolean {
  return processor === MANUAL_PROCESSOR || (processor === SANDBOX_PROCESSOR && paymentMethod === HOLD);
}
