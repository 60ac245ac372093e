import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { numberFormat } from './formatters.ts';

/** Formats minor units as a decimal amount: 199900 EUR → `1,999.00`, 500 JPY → `500`. Exact: uses no floating point. */
export function formatAmount(minorUnits: number, currency: string): string {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return `${minorUnits} minor units`;
  const digits = String(minorUnits).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const decimal = exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
  const options = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  return numberFormat(options).format(decimal as `${number}`);
}

/** `1,999.00 EUR` */
export function formatMoney(minorUnits: number, currency: string): string {
  return `${formatAmount(minorUnits, currency)} ${currency}`;
}

/**
 * Parses a typed amount in the format of the locale, `1,999.00` or `1999`, into minor units; null when it is not a valid
 * amount of the currency.
 */
export function parseAmount(text: string, currency: string): number | null {
  const exponent = CURRENCY_EXPONENTS.get(currency) ?? 2;
  const { group, decimal } = separators();
  // Some locales group with spaces that no keyboard has.
  const typed = text.trim().replaceAll(/\s/g, ' ');
  const [whole = '', minor = '', ...more] = typed.split(decimal);
  const groups = group === '' ? [whole] : whole.split(group);
  const isComplete = minor === '' ? !typed.endsWith(decimal) : /^\d+$/.test(minor);
  if (!areGroups(groups) || !isComplete || more.length > 0 || minor.length > exponent) return null;
  const minorUnits = Number(groups.join('') + minor.padEnd(exponent, '0'));
  return Number.isSafeInteger(minorUnits) ? minorUnits : null;
}

/** The last group has three digits everywhere, and those before it two in some locales: `12,34,567`. */
function areGroups([first = '', ...others]: string[]): boolean {
  if (others.length === 0) return /^\d+$/.test(first);
  const isLong = others.at(-1)?.length === 3;
  return isLong && /^\d{1,3}$/.test(first) && others.every((digits) => /^\d{2,3}$/.test(digits));
}

function separators(): { group: string; decimal: string } {
  const parts = numberFormat().formatToParts(1_234_567.8);
  const partOf = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  return { group: partOf('group').replaceAll(/\s/g, ' '), decimal: partOf('decimal') };
}
