import { Decimal128 } from 'bson';
import { divideToEven } from './arithmetic.ts';
import { type ExactDecimal, exactDecimal } from './numbers.ts';

export type Rounding = 'halfToEven' | 'towardZero' | 'up' | 'down';

/** The value as a multiple of 10^exponent: what lies beneath is rounded, what lacks is filled with zeros. */
export function quantize(
  { coefficient, exponent }: ExactDecimal,
  toExponent: number,
  rounding: Rounding,
): bigint {
  if (exponent >= toExponent) return coefficient * 10n ** BigInt(exponent - toExponent);
  const divisor = 10n ** BigInt(toExponent - exponent);
  if (rounding === 'halfToEven') return divideToEven(coefficient, divisor);
  const towardZero = coefficient / divisor;
  const hasRest = coefficient % divisor !== 0n;
  if (rounding === 'up' && hasRest && coefficient > 0n) return towardZero + 1n;
  if (rounding === 'down' && hasRest && coefficient < 0n) return towardZero - 1n;
  return towardZero;
}

const DECIMAL_DIGITS = 34;

/** A decimal with so many digits behind the point; undefined where it does not have as many digits in all. */
export function quantizeDecimal(
  value: Decimal128,
  digits: number,
  rounding: Rounding,
): Decimal128 | undefined {
  const exact = exactDecimal(value);
  if (exact === undefined) return value; // NaN and the infinities
  const coefficient = quantize(exact, -digits, rounding);
  const text = (coefficient < 0n ? -coefficient : coefficient).toString();
  if (text.length > DECIMAL_DIGITS) return undefined;
  return Decimal128.fromString(`${value.toString().startsWith('-') ? '-' : ''}${text}E${-digits}`);
}
