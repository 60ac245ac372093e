import type { Payment } from '@mollie/api-client';
import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import { failureOfReason } from './failure-codes.ts';

/**
 * Translates a payment of Mollie.
 *
 * @throws Error when it has a status that this adapter does not know
 */
export function stateOf(payment: Payment): PaymentState {
  const reference = payment.id;
  switch (payment.status as string) {
    case 'open': {
      // Without a page for the payer, the payment waits for a bank: a recurring payment, or a bank transfer that was chosen.
      const url = payment._links.checkout?.href;
      if (url === undefined) return { status: 'processing', reference };
      return { status: 'action_required', reference, next_action: { type: 'redirect', url } };
    }
    // The money of an authorized payment is reserved and not yet captured: neither has it moved, nor is it certain not to.
    case 'pending':
    case 'authorized':
      return { status: 'processing', reference };
    case 'paid':
      return { status: 'succeeded', reference };
    case 'failed':
      return { status: 'failed', reference, failure: failureOfReason(reasonOf(payment)) };
    case 'canceled':
    case 'expired':
      return { status: 'canceled', reference };
    default:
      throw new Error(
        `Mollie reports the unknown status ${JSON.stringify(payment.status)} of ${payment.id}.`,
      );
  }
}

function reasonOf(payment: Payment): string | null {
  const details = payment.details as { failureReason?: string; bankReasonCode?: string } | null | undefined;
  return details?.failureReason ?? payment.statusReason?.code ?? details?.bankReasonCode ?? null;
}
