import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonValue, isDocument, isNumeric, type NumericValue, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { roundToDecimal, wholeOf } from '../../semantics/arithmetic.ts';
import { exactDecimal, exactDecimalOfDouble, toNearestDouble } from '../../semantics/numbers.ts';
import { quantize, quantizeDecimal, type Rounding } from '../../semantics/quantize.ts';
import { type CompileOperator, isNullish, type Operators, onArguments } from '../operator.ts';

/** Operators on one number. Of decimals they are exact, or refused rather than computed by way of a double. */
export const ROUNDING_OPERATORS: Operators = {
  $abs: onAnyNumber(absolute),
  $ceil: onAnyNumber((value) => whereFractional(value, Math.ceil, 'up')),
  $floor: onAnyNumber((value) => whereFractional(value, Math.floor, 'down')),
  $rand: onNoArguments(() => new Double(Math.random())),
  $exp: onNumber((value) => new Double(Math.exp(toNearestDouble(value)))),
  $sqrt: onNumber(
    (value) =>
      new Double(Math.sqrt(atLeastZero(value, 28714, "$sqrt's argument must be greater than or equal to 0"))),
  ),
  $ln: onNumber((value) => new Double(Math.log(positive(value, 28766, '$ln')))),
  $log10: onNumber((value) => new Double(Math.log10(positive(value, 28761, '$log10')))),
  $round: onArguments([1, 2], (values, name) => roundTo(values, name, 'halfToEven')),
  $trunc: onArguments([1, 2], (values, name) => roundTo(values, name, 'towardZero')),
};

function onNoArguments(calculate: () => NumericValue): CompileOperator {
  return (operand, _recurse, name) => {
    const isEmpty = Array.isArray(operand) ? operand.length === 0 : isDocument(operand) && operand.size === 0;
    if (!isEmpty) throw mongoError(10065, `invalid parameter: ${name} takes no arguments`);
    return calculate;
  };
}

function onNumber(calculate: (value: NumericValue) => NumericValue): CompileOperator {
  return onArguments(1, ([value], name) => {
    if (isNullish(value)) return null;
    return calculate(checkedNumber(value, name));
  });
}

/** As onNumber, for decimals as well. */
function onAnyNumber(calculate: (value: NumericValue) => NumericValue): CompileOperator {
  return onArguments(1, ([value], name) => (isNullish(value) ? null : calculate(anyNumber(value, name))));
}

function anyNumber(value: BsonValue, name: string): NumericValue {
  if (!isNumeric(value))
    throw mongoError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
  return value;
}

function checkedNumber(value: BsonValue, name: string): NumericValue {
  const number = anyNumber(value, name);
  if (number instanceof Decimal128) throw notImplemented(`${name} of a decimal`);
  return number;
}

function absolute(value: NumericValue): NumericValue {
  if (value instanceof Double) return new Double(Math.abs(value.value));
  if (value instanceof Decimal128) return Decimal128.fromString(value.toString().replace(/^-/, ''));
  const whole = wholeOf(value as Int32 | Long);
  const magnitude = whole < 0n ? -whole : whole;
  if (BigInt.asIntN(64, magnitude) !== magnitude) throw mongoError(28680, "can't take $abs of long long min");
  const fitsInt = value instanceof Int32 && BigInt.asIntN(32, magnitude) === magnitude;
  return fitsInt ? new Int32(Number(magnitude)) : Long.fromBigInt(magnitude);
}

function whereFractional(
  value: NumericValue,
  round: (value: number) => number,
  rounding: Rounding,
): NumericValue {
  if (value instanceof Double) return new Double(round(value.value));
  if (!(value instanceof Decimal128)) return value;
  const exponent = exactDecimal(value)?.exponent ?? 0;
  return exponent < 0 ? (quantizeDecimal(value, 0, rounding) ?? value) : value;
}

function atLeastZero(value: NumericValue, code: number, message: string): number {
  const number = toNearestDouble(value);
  if (number < 0) throw mongoError(code, message);
  return number;
}

function positive(value: NumericValue, code: number, name: string): number {
  const number = toNearestDouble(value);
  if (number <= 0) throw mongoError(code, `${name}'s argument must be a positive number, but is ${number}`);
  return number;
}

const LEAST_PLACE = -20;
const MOST_PLACE = 100;

function roundTo([value, place]: (BsonValue | undefined)[], name: string, rounding: Rounding): BsonValue {
  if (isNullish(value) || (place !== undefined && isNullish(place))) return null;
  const number = anyNumber(value, name);
  const digits = place === undefined ? 0 : toNearestDouble(anyNumber(place, name));
  if (!Number.isInteger(digits)) throw mongoError(51082, `${name} requires an integral place argument`);
  if (digits < LEAST_PLACE || digits > MOST_PLACE)
    throw mongoError(
      51083,
      `cannot apply ${name} with precision value ${digits} value must be in [-20, 100]`,
    );
  if (number instanceof Double) return roundDouble(number, digits, name, rounding);
  if (number instanceof Decimal128) return roundDecimal(number, digits, name, rounding);
  return digits >= 0 ? number : roundWhole(number as Int32 | Long, digits, name, rounding);
}

/** By way of the decimal with 34 digits next to it, as MongoDB does. */
function roundDouble(number: Double, digits: number, name: string, rounding: Rounding): Double {
  if (!Number.isFinite(number.value)) return number;
  const decimal = roundToDecimal(exactDecimalOfDouble(number.value));
  const rounded = toNearestDouble(roundDecimal(decimal, digits, name, rounding));
  return new Double(rounded === 0 && (number.value < 0 || Object.is(number.value, -0)) ? -0 : rounded);
}

function roundDecimal(number: Decimal128, digits: number, name: string, rounding: Rounding): Decimal128 {
  const rounded = quantizeDecimal(number, digits, rounding);
  if (rounded === undefined) throw notImplemented(`${name} to more digits than a decimal has`);
  return rounded;
}

function roundWhole(number: Int32 | Long, digits: number, name: string, rounding: Rounding): Int32 | Long {
  const exact = { coefficient: wholeOf(number), exponent: 0 };
  const whole = quantize(exact, -digits, rounding) * 10n ** BigInt(-digits);
  if (BigInt.asIntN(64, whole) !== whole)
    throw mongoError(51080, `invalid conversion from Decimal128 result in ${name} resulting from arguments`);
  const fitsInt = number instanceof Int32 && BigInt.asIntN(32, whole) === whole;
  return fitsInt ? new Int32(Number(whole)) : Long.fromBigInt(whole);
}
