import { CURRENCY_EXPONENTS } from '@tollgate/contracts/money';

/** Formats minor units as a decimal amount: 199900 EUR → `1,999.00`, 500 JPY → `500`. Exact: uses no floating point. */
export function formatAmount(minorUnits: number, currency: string): string {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return `${minorUnits} minor units`;
  const digits = String(minorUnits).padStart(exponent + 1, '0');
  const major = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, ',');
  return exponent === 0 ? major : `${major}.${digits.slice(-exponent)}`;
}

/**
 * Parses a typed amount, `1,999.00` or `1999`, into minor units; null when it is not a valid amount of the currency.
 */
export function parseAmount(text: string, currency: string): number | null {
  const exponent = CURRENCY_EXPONENTS.get(currency) ?? 2;
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', ''));
  const [, major = '', minor = ''] = match ?? [];
  if (!match || minor.length > exponent) return null;
  const minorUnits = Number(major + minor.padEnd(exponent, '0'));
  return Number.isSafeInteger(minorUnits) ? minorUnits : null;
}
