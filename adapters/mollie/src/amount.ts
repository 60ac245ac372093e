import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';

/** Mollie's form of an amount: a decimal string with exactly the decimals of the currency. */
export interface MollieAmount {
  currency: string;
  value: string;
}

/**
 * Reads minor units from an amount of Mollie, which may have fewer or more decimals than the currency.
 *
 * @throws Error for an unknown currency, another text, or a fraction of a minor unit: the adapter never guesses an amount
 */
export function fromMollieAmount({ currency, value }: MollieAmount): number {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const rest = decimals.slice(exponent);
  const minorUnits = Number(whole + decimals.slice(0, exponent).padEnd(exponent ?? 0, '0'));
  if (exponent === undefined || whole === '' || /[1-9]/.test(rest) || !Number.isSafeInteger(minorUnits)) {
    throw new Error(`Mollie reports the amount ${JSON.stringify(value)} ${currency}, which cannot be read.`);
  }
  return minorUnits;
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
