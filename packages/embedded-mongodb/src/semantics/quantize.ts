import { Decimal128 } from 'bson';
import { absolute, type ExactDecimal, exactDecimal, powerOfTen, scaleTo } from './numbers.ts';

export type Rounding = 'halfToEven' | 'towardZero' | 'up' | 'down';

/** The value as a multiple of 10^exponent. Rounds excess digits and appends zeros for missing ones. */
export function quantize(exact: ExactDecimal, toExponent: number, rounding: Rounding): bigint {
  const { coefficient, exponent } = exact;
  if (exponent >= toExponent) return scaleTo(exact, toExponent);
  const divisor = powerOfTen(toExponent - exponent);
  const towardZero = coefficient / divisor;
  const rest = absolute(coefficient % divisor);
  const awayFromZero = towardZero + (coefficient < 0n ? -1n : 1n);
  switch (rounding) {
    case 'halfToEven': {
      const isAboveHalf = rest * 2n > divisor || (rest * 2n === divisor && towardZero % 2n !== 0n);
      return isAboveHalf ? awayFromZero : towardZero;
    }
    case 'up':
      return rest !== 0n && coefficient > 0n ? awayFromZero : towardZero;
    case 'down':
      return rest !== 0n && coefficient < 0n ? awayFromZero : towardZero;
    case 'towardZero':
      return towardZero;
  }
}

const DECIMAL_DIGITS = 34;

/** A decimal with `digits` digits after the point; undefined if that exceeds the digits of a decimal. */
export function quantizeDecimal(
  value: Decimal128,
  digits: number,
  rounding: Rounding,
): Decimal128 | undefined {
  const exact = exactDecimal(value);
  if (exact === undefined) return value; // NaN and the infinities
  const text = absolute(quantize(exact, -digits, rounding)).toString();
  if (text.length > DECIMAL_DIGITS) return undefined;
  return Decimal128.fromString(`${value.toString().startsWith('-') ? '-' : ''}${text}E${-digits}`);
}
