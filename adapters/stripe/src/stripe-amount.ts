import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';

/**
 * Stripe's decimals (https://docs.stripe.com/currencies). They differ from ISO 4217 for ISK and UGX, which Stripe expects with two
 * decimals that are always 00, and for MGA, which it expects without decimals. HUF and TWD have two for charges: only payouts
 * must be whole. Every other currency has two.
 */
const ZERO_DECIMAL = words('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF');
/** The last digit must be 0. */
const THREE_DECIMAL = words('BHD JOD KWD OMR TND');
/** Stripe does not list them, and with a guessed number of decimals the payer could be charged ten times the amount. */
const NOT_SUPPORTED = words('IQD LYD');

/** The limit of card networks. Stripe itself rejects what is too much for a currency or a payment method. */
const MAX_STRIPE_AMOUNT = 999_999_999_999;

/** Our minor units in Stripe's, exactly. Null if Stripe cannot charge the amount. */
export function toStripeAmount(amount: number, currency: string): number | null {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined || NOT_SUPPORTED.has(currency)) return null;
  const shift = stripeExponent(currency) - exponent;
  if (shift < 0 && amount % 10 ** -shift !== 0) return null;
  const converted = shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift;
  if (THREE_DECIMAL.has(currency) && converted % 10 !== 0) return null;
  return converted <= MAX_STRIPE_AMOUNT ? converted : null;
}

/**
 * Stripe's minor units in ours, exactly.
 *
 * @param currency as Stripe writes it, in lowercase
 * @throws Error for a currency that the adapter does not support, and for a fraction: the adapter never guesses an amount
 */
export function fromStripeAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  const exponent = CURRENCY_EXPONENTS.get(code);
  const shift = exponent === undefined ? Number.NaN : exponent - stripeExponent(code);
  const converted = shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift;
  if (NOT_SUPPORTED.has(code) || !Number.isSafeInteger(converted)) {
    throw new Error(`Stripe reports the amount ${amount} ${currency}, which cannot be converted.`);
  }
  return converted;
}

function stripeExponent(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return THREE_DECIMAL.has(currency) ? 3 : 2;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
