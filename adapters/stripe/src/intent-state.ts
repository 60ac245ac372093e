import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import type Stripe from 'stripe';
import { declineFailure } from './failure-codes.ts';
import { fromStripeAmount } from './stripe-amount.ts';

/** Marks an intent that the adapter canceled because its payment failed. Tollgate's cancellations have another reason. */
export const CANCELED_AFTER_FAILURE = 'abandoned';

/**
 * The state of a payment intent in Tollgate, with the reference of the payment.
 *
 * @throws Error for a status that says nothing about the money
 */
export function intentState(intent: Stripe.PaymentIntent, reference: string): PaymentState {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', reference, ...receivedMoney(intent) };
    case 'processing':
    // The money is reserved, for example when the account captures by hand.
    case 'requires_capture':
      return { status: 'processing', reference };
    case 'requires_action':
      return {
        status: 'action_required',
        reference,
        next_action: { type: 'redirect', url: actionUrl(intent) },
      };
    case 'canceled':
      return intent.cancellation_reason === CANCELED_AFTER_FAILURE
        ? failedState(intent, reference)
        : { status: 'canceled', reference, ...receivedPart(intent) };
    case 'requires_payment_method':
      return failedState(intent, reference);
    default:
      throw new Error(
        `Stripe has not started the payment intent ${intent.id}: its status is ${intent.status}.`,
      );
  }
}

function failedState(intent: Stripe.PaymentIntent, reference: string): PaymentState {
  const failure = declineFailure(intent.last_payment_error);
  return { status: 'failed', reference, failure, ...receivedPart(intent) };
}

/** An intent that is captured by hand can succeed with a part of its amount. */
function receivedMoney({ amount_received, currency }: Stripe.PaymentIntent) {
  return { amount: fromStripeAmount(amount_received, currency), currency: currency.toUpperCase() };
}

/** The money of a payment that did not succeed: normally none. */
function receivedPart(intent: Stripe.PaymentIntent) {
  return intent.amount_received > 0 && receivedMoney(intent);
}

/** Most actions are a redirect; vouchers and bank transfers have a page with instructions. */
function actionUrl({ id, next_action }: Stripe.PaymentIntent): string {
  const action = next_action as unknown as Record<string, Record<string, string | null> | undefined> | null;
  const details = action?.[next_action?.type ?? ''];
  const url =
    details?.url ??
    details?.hosted_voucher_url ??
    details?.hosted_instructions_url ??
    details?.hosted_verification_url;
  if (typeof url === 'string') return url;
  throw new Error(
    `The payment intent ${id} requires the action ${next_action?.type}, which has no page for the payer.`,
  );
}
