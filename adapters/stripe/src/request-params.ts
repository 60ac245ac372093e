import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type Stripe from 'stripe';
import { rejected } from './failure-codes.ts';
import { toStripeAmount } from './stripe-amount.ts';

/*
 * What is sent to create a payment at Stripe. It depends on the payment alone: a request that is repeated with its idempotency key
 * must be the same.
 */

/** The metadata key of the payment id. */
const PAYMENT_ID = 'tollgate_payment_id';
/** Limits of Stripe. One of the pairs is ours. */
const METADATA_LIMITS = { pairs: 50, key: 40, value: 500 };
/** Limit of Stripe on the name of a product. */
const MAX_NAME_LENGTH = 250;

/** A session can expire 30 minutes after its creation at the earliest. The rest is for clocks that differ. */
const MIN_SESSION_MS = 35 * MINUTE_MS;
/** And 24 hours after it at the latest. */
const MAX_SESSION_MS = DAY_MS - 5 * MINUTE_MS;

/** @throws PaymentRejected */
export function sessionParams(payment: ProcessorPayment): Stripe.Checkout.SessionCreateParams {
  const { id, purpose, reference, return_url } = payment;
  if (return_url === null) throw rejected('return_url_required');
  const metadata = metadataOf(payment);
  const { amount: unit_amount, currency } = amountOf(payment);
  const name = purpose || reference || 'Payment';
  return {
    mode: 'payment',
    client_reference_id: id,
    success_url: return_url,
    cancel_url: return_url,
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount, product_data: { name: shortened(name, MAX_NAME_LENGTH) } },
      },
    ],
    metadata,
    payment_intent_data: { metadata, ...description(payment) },
    ...sessionExpiry(payment),
  };
}

/** @throws PaymentRejected */
export function intentParams(payment: ProcessorPayment): Stripe.PaymentIntentCreateParams {
  return {
    ...amountOf(payment),
    payment_method: payment.payment_method as string,
    // Methods that redirect need somewhere to return to. Stripe rejects the confirmation without it otherwise.
    automatic_payment_methods: { enabled: true, allow_redirects: payment.return_url ? 'always' : 'never' },
    metadata: metadataOf(payment),
    ...description(payment),
  };
}

export function confirmParams({ return_url }: ProcessorPayment): Stripe.PaymentIntentConfirmParams {
  // Without an address to return to, the payer could not complete an action: the attempt fails instead.
  return return_url === null ? { error_on_requires_action: true } : { return_url };
}

export function paymentIdIn(metadata: Stripe.Metadata | null | undefined): string | null {
  return metadata?.[PAYMENT_ID] ?? null;
}

/** The query for Stripe's search. A payment id has no characters with a meaning there. */
export function paymentQuery({ id }: ProcessorPayment): string {
  return `metadata["${PAYMENT_ID}"]:"${id}"`;
}

function amountOf({ amount, currency }: ProcessorPayment): { amount: number; currency: string } {
  const converted = toStripeAmount(amount, currency);
  if (converted === null) throw rejected('amount_not_accepted');
  return { amount: converted, currency: currency.toLowerCase() };
}

function description({ purpose }: ProcessorPayment): { description?: string } {
  return purpose ? { description: purpose } : {};
}

/**
 * A session that outlives its payment by half an hour can be created at any time before the payment expires. When it does, Tollgate
 * cancels it, and the session with it. A longer payment gets Stripe's default, 24 hours.
 */
function sessionExpiry({ created_at, expires_at }: ProcessorPayment): { expires_at?: number } {
  const expiresAtMs = Date.parse(expires_at) + MIN_SESSION_MS;
  if (expiresAtMs - Date.parse(created_at) > MAX_SESSION_MS) return {};
  return { expires_at: Math.floor(expiresAtMs / SECOND_MS) };
}

/** Pairs that Stripe does not accept are left out: they must not prevent a payment. Sorted, so that a repeat sends the same ones. */
function metadataOf({ id, metadata }: ProcessorPayment): Record<string, string> {
  const accepted = Object.entries(metadata ?? {})
    .filter(
      ([key, value]) =>
        key !== PAYMENT_ID &&
        key.length <= METADATA_LIMITS.key &&
        !/[[\]]/.test(key) &&
        value !== '' &&
        value.length <= METADATA_LIMITS.value,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, METADATA_LIMITS.pairs - 1);
  return { ...Object.fromEntries(accepted), [PAYMENT_ID]: id };
}

/** Does not divide a character. */
function shortened(text: string, maxLength: number): string {
  return [...text].slice(0, maxLength).join('');
}
