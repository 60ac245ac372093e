import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonValue, isDocument, isNumeric, type NumericValue, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { wholeOf } from '../../semantics/arithmetic.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { type CompileOperator, isNullish, type Operators, onArguments } from '../operator.ts';

/** Operators on one number. Of decimals they are refused rather than computed by way of a double. */
export const ROUNDING_OPERATORS: Operators = {
  $abs: onNumber(absolute),
  $ceil: onNumber((value) => whereFractional(value, Math.ceil)),
  $floor: onNumber((value) => whereFractional(value, Math.floor)),
  $rand: onNoArguments(() => new Double(Math.random())),
  $exp: onNumber((value) => new Double(Math.exp(toNearestDouble(value)))),
  $sqrt: onNumber(
    (value) =>
      new Double(Math.sqrt(atLeastZero(value, 28714, "$sqrt's argument must be greater than or equal to 0"))),
  ),
  $ln: onNumber((value) => new Double(Math.log(positive(value, 28766, '$ln')))),
  $log10: onNumber((value) => new Double(Math.log10(positive(value, 28761, '$log10')))),
  $round: onArguments([1, 2], (values, name) => roundTo(values, name, roundHalfToEven)),
  $trunc: onArguments([1, 2], (values, name) => roundTo(values, name, Math.trunc)),
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

function checkedNumber(value: BsonValue, name: string): NumericValue {
  if (!isNumeric(value))
    throw mongoError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
  if (value instanceof Decimal128) throw notImplemented(`${name} of a decimal`);
  return value;
}

function absolute(value: NumericValue): NumericValue {
  if (value instanceof Double) return new Double(Math.abs(value.value));
  const whole = wholeOf(value as Int32 | Long);
  const magnitude = whole < 0n ? -whole : whole;
  if (BigInt.asIntN(64, magnitude) !== magnitude) throw mongoError(28680, "can't take $abs of long long min");
  const fitsInt = value instanceof Int32 && BigInt.asIntN(32, magnitude) === magnitude;
  return fitsInt ? new Int32(Number(magnitude)) : Long.fromBigInt(magnitude);
}

function whereFractional(value: NumericValue, round: (value: number) => number): NumericValue {
  return value instanceof Double ? new Double(round(value.value)) : value;
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

/** Halves go to the even neighbour. */
function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const difference = value - below;
  if (difference !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function roundTo(
  [value, place]: (BsonValue | undefined)[],
  name: string,
  round: (value: number) => number,
): BsonValue {
  if (isNullish(value) || (place !== undefined && isNullish(place))) return null;
  const number = checkedNumber(value, name);
  const digits = place === undefined ? 0 : toNearestDouble(checkedNumber(place, name));
  if (!Number.isInteger(digits)) throw mongoError(51082, `${name} requires an integral place argument`);
  if (digits < -20 || digits > 100) throw mongoError(51083, `${name}: the place must be from -20 to 100`);
  if (digits >= 0 && !(number instanceof Double)) return number;
  // Moving the decimal point of a double is not exact; only whole results are certain to be MongoDB's.
  if (digits !== 0) throw notImplemented(`${name} to a place other than 0`);
  return new Double(round((number as Double).value));
}
