import { CURRENCY_EXPONENTS } from '@tollgate/contracts/money';

/** Mollie's form of an amount: a decimal string with exactly the decimals of the currency. */
export interface MollieAmount {
  currency: string;
  value: string;
}

/**
 * Converts minor units by moving the decimal point in the digits, so that no amount is rounded. Mollie uses the ISO 4217
 * exponents without an exception: ISK and JPY have no decimals, HUF and TWD have two. Null for an unknown currency.
 */
export function toMollieAmount(minorUnits: number, currency: string): MollieAmount | null {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return null;
  const digits = String(minorUnits).padStart(exponent + 1, '0');
  const point = digits.length - exponent;
  return {
    currency,
    value: exponent === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`,
  };
}
