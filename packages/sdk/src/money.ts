import { exponentOf } from './currencies.ts';
import type { ArgumentErrorCode } from './error-code.ts';
import { InvalidArgumentError } from './errors.ts';

/** Digits, and after a point more digits. No exponent, no thousands separator: these differ between countries. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
/** No currency has more. Protects from a number that is an amount by mistake. */
const MAX_EXPONENT = 8;

/**
 * Converts an amount such as `'12.50'` to minor units, exactly: `toMinorUnits('12.50', 'EUR')` is 1250, and
 * `toMinorUnits('1250', 'JPY')` is 1250. For a currency that this release does not know, pass its number of decimals.
 */
export function toMinorUnits(amount: string, currency: string | number): number {
  const exponent = decimalsOf(currency);
  const [, sign, whole, fraction = ''] = (typeof amount === 'string' && DECIMAL.exec(amount)) || [];
  if (whole === undefined) throw invalid('invalid-amount', 'The amount must be a string such as "12.50".');
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > exponent) {
    throw invalid('amount-too-precise', `The amount has more than the ${exponent} decimals of the currency.`);
  }
  const minorUnits = Number(whole + digits.padEnd(exponent, '0'));
  if (!Number.isSafeInteger(minorUnits)) throw outOfRange();
  // Not -0, which differs from 0 in some comparisons.
  return sign && minorUnits !== 0 ? -minorUnits : minorUnits;
}

/** Converts minor units to an amount, exactly: `fromMinorUnits(1250, 'EUR')` is `'12.50'`. */
export function fromMinorUnits(minorUnits: number, currency: string | number): string {
  const exponent = decimalsOf(currency);
  if (!Number.isSafeInteger(minorUnits)) throw outOfRange();
  const digits = String(Math.abs(minorUnits)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent);
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

function decimalsOf(currency: string | number): number {
  const exponent = typeof currency === 'string' ? exponentOf(currency) : currency;
  if (exponent === undefined) {
    throw invalid(
      'unsupported-currency',
      'The currency must be an active ISO 4217 code, or its number of decimals.',
    );
  }
  if (Number.isInteger(exponent) && exponent >= 0 && exponent <= MAX_EXPONENT) return exponent;
  throw invalid(
    'unsupported-currency',
    `The number of decimals must be an integer from 0 to ${MAX_EXPONENT}.`,
  );
}

function outOfRange(): InvalidArgumentError {
  return invalid('amount-out-of-range', 'The amount must be an integer number of minor units below 2^53.');
}

function invalid(code: ArgumentErrorCode, message: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { code });
}
