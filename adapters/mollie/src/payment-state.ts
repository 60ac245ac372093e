import type { Payment } from '@mollie/api-client';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import { fromMollieAmount, type MollieAmount } from './amount.ts';
import { failureOfReason } from './failure-codes.ts';
import { isFor } from './find-payment.ts';

/**
 * Translates a payment of Mollie.
 *
 * @param ours the payment that was asked about
 * @throws Error when it belongs to another payment, or has a status or an amount that this adapter does not know
 */
export function stateOf(payment: Payment, ours: ProcessorPayment): PaymentState {
  const reference = payment.id;
  if (!isFor(payment, ours))
    throw new Error(`The payment ${reference} of Mollie belongs to another payment of Tollgate.`);
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
      return { status: 'succeeded', reference, ...moneyOf(payment) };
    case 'failed':
      return {
        status: 'failed',
        reference,
        failure: failureOfReason(reasonOf(payment)),
        ...capturedOf(payment),
      };
    case 'canceled':
    case 'expired':
      return { status: 'canceled', reference, ...capturedOf(payment) };
    default:
      throw new Error(
        `Mollie reports the unknown status ${JSON.stringify(payment.status)} of ${payment.id}.`,
      );
  }
}

/** A payment that is captured in parts is `paid` although less than its amount was captured. */
function moneyOf({ amount, amountCaptured, amountRefunded, amountChargedBack }: Payment) {
  const captured = amountCaptured ?? amount;
  const minorUnits = (part: MollieAmount | undefined) => (part === undefined ? 0 : fromMollieAmount(part));
  return {
    amount: fromMollieAmount(captured),
    currency: captured.currency,
    refunded_amount: minorUnits(amountRefunded),
    disputed_amount: minorUnits(amountChargedBack),
  };
}

/** The captured money of a payment that failed or was canceled: part of it may have been captured before. */
function capturedOf({ amountCaptured }: Payment) {
  return amountCaptured && { amount: fromMollieAmount(amountCaptured), currency: amountCaptured.currency };
}

function reasonOf(payment: Payment): string | null {
  const details = payment.details as { failureReason?: string; bankReasonCode?: string } | null | undefined;
  return details?.failureReason ?? payment.statusReason?.code ?? details?.bankReasonCode ?? null;
}
