import { CURRENCY_EXPONENTS } from '@tollgate/contracts/money';

/** Minor units as the amount people write: 199900 EUR → `1,999.00`, 500 JPY → `500`. Exact: no floating point on the way. */
export function formatAmount(minorUnits: number, currency: string): string {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return `${minorUnits} minor units`;
  const digits = String(minorUnits).padStart(exponent + 1, '0');
  const major = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, ',');
  return exponent === 0 ? major : `${major}.${digits.slice(-exponent)}`;
}

/** What a person typed, `1,999.00` or `1999`, as minor units; null when it is no amount of that currency. */
export function parseAmount(text: string, currency: string): number | null {
  const exponent = CURRENCY_EXPONENTS.get(currency) ?? 2;
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', ''));
  const [, major = '', minor = ''] = match ?? [];
  if (!match || minor.length > exponent) return null;
  const minorUnits = Number(major + minor.padEnd(exponent, '0'));
  return Number.isSafeInteger(minorUnits) ? minorUnits : null;
}
