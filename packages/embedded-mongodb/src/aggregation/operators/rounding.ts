import { Decimal128, Double, Int32, Long } from 'bson';
import type { BsonValue, NumericValue } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { wholeOf } from '../../semantics/arithmetic.ts';
import { exactDecimal, exactDecimalOfDouble, magnitudeOf } from '../../semantics/numbers.ts';
import { quantize, quantizeDecimal, type Rounding } from '../../semantics/quantize.ts';
import {
  type CompileOperator,
  integerOf,
  isNullish,
  numberOf,
  type Operators,
  onArguments,
  type Values,
} from '../operator.ts';

/** Operators that round a number. They round decimals exactly, without converting them to doubles. */
export const ROUNDING_OPERATORS: Operators = {
  $abs: onNumber(absolute),
  $ceil: onNumber((number) => roundToWhole(number, Math.ceil, 'up')),
  $floor: onNumber((number) => roundToWhole(number, Math.floor, 'down')),
  $round: onArguments([1, 2], (values, name) => roundToPlace(values, name, 'halfToEven')),
  $trunc: onArguments([1, 2], (values, name) => roundToPlace(values, name, 'towardZero')),
};

function onNumber(calculate: (number: NumericValue) => NumericValue): CompileOperator {
  return onArguments(1, ([value], name) =>
    isNullish(value) ? null : calculate(numberOf(value, name, 28765)),
  );
}

function absolute(number: NumericValue): NumericValue {
  if (number instanceof Double) return new Double(Math.abs(number.value));
  if (number instanceof Decimal128) return Decimal128.fromString(number.toString().replace(/^-/, ''));
  if (number instanceof Int32) return integerLike(number, BigInt(Math.abs(number.value)));
  if (number.equals(Long.MIN_VALUE)) throw mongoError(28680, "can't take $abs of long long min");
  return number.isNegative() ? number.negate() : number;
}

/** An integer of the same type as `like`, or an int64 if it does not fit. */
function integerLike(like: Int32 | Long, whole: bigint): Int32 | Long {
  const fits = like instanceof Int32 && BigInt.asIntN(32, whole) === whole;
  return fits ? new Int32(Number(whole)) : Long.fromBigInt(whole);
}

function roundToWhole(
  number: NumericValue,
  round: (value: number) => number,
  rounding: Rounding,
): NumericValue {
  if (number instanceof Double) return new Double(round(number.value));
  // A decimal that is too large to have digits after the point is a whole number.
  return number instanceof Decimal128 ? (quantizeDecimal(number, 0, rounding) ?? number) : number;
}

const LEAST_PLACE = -20;
const MOST_PLACE = 100;

function roundToPlace(values: Values, name: string, rounding: Rounding): BsonValue {
  const [value, place] = values;
  if (isNullish(value)) return null;
  const number = numberOf(value, name, 51081);
  if (values.length > 1 && isNullish(place)) return null;
  const digits = isNullish(place) ? 0 : placeOf(place, name);
  if (number instanceof Decimal128) return roundDecimal(number, digits, rounding);
  if (number instanceof Double) return roundDouble(number, digits, rounding);
  return digits >= 0 ? number : roundInteger(number, digits, name, rounding);
}

function placeOf(value: BsonValue, name: string): number {
  const place = integerOf(value, 32, name, 16004, 51082);
  if (place < LEAST_PLACE || place > MOST_PLACE)
    throw mongoError(51083, `cannot apply ${name} with precision value ${place}, it must be in [-20, 100]`);
  return place;
}

const DECIMAL_DIGITS = 34;

function roundDecimal(number: Decimal128, digits: number, rounding: Rounding): Decimal128 {
  const exact = exactDecimal(number);
  if (exact === undefined) return number; // NaN and the infinities
  const most = exact.coefficient === 0n ? MOST_PLACE : DECIMAL_DIGITS - magnitudeOf(exact);
  return quantizeDecimal(number, Math.min(digits, most), rounding) as Decimal128;
}

function roundDouble(number: Double, digits: number, rounding: Rounding): Double {
  if (!Number.isFinite(number.value)) return number;
  const coefficient = quantize(exactDecimalOfDouble(number.value), -digits, rounding);
  // A negative number can round to zero, which keeps the sign.
  return new Double(coefficient === 0n ? number.value * 0 : Number(`${coefficient}e${-digits}`));
}

function roundInteger(number: Int32 | Long, digits: number, name: string, rounding: Rounding): Int32 | Long {
  const exact = { coefficient: wholeOf(number), exponent: 0 };
  const whole = quantize(exact, -digits, rounding) * 10n ** BigInt(-digits);
  if (BigInt.asIntN(64, whole) !== whole)
    throw mongoError(51080, `invalid conversion from Decimal128 result in ${name} resulting from arguments`);
  return integerLike(number, whole);
}
