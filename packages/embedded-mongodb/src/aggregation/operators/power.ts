import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonValue, isNumeric, type NumericValue, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { wholeOf } from '../../semantics/arithmetic.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { isNullish, type Operators, onArguments } from '../operator.ts';

export const POWER_OPERATORS: Operators = {
  $pow: onArguments(2, ([base, exponent]) => {
    if (isNullish(base) || isNullish(exponent)) return null;
    return power(numberOf(base, 28762, "$pow's base"), numberOf(exponent, 28763, "$pow's exponent"));
  }),
  $log: onArguments(2, ([value, base]) => {
    if (isNullish(value) || isNullish(base)) return null;
    const number = toNearestDouble(numberOf(value, 28756, "$log's argument"));
    const ofBase = toNearestDouble(numberOf(base, 28757, "$log's base"));
    if (number <= 0) throw mongoError(28758, `$log's argument must be a positive number, but is ${number}`);
    if (ofBase <= 0 || ofBase === 1)
      throw mongoError(28759, `$log's base must be a positive number not equal to 1, but is ${ofBase}`);
    return new Double(Math.log(number) / Math.log(ofBase));
  }),
};

function numberOf(value: BsonValue, code: number, what: string): NumericValue {
  if (!isNumeric(value)) throw mongoError(code, `${what} must be numeric, not ${typeName(value)}`);
  if (value instanceof Decimal128) throw notImplemented(`${what} as a decimal`);
  return value;
}

/** Whole where it fits an int64, as int32 where both are; else a double. */
function power(base: NumericValue, exponent: NumericValue): NumericValue {
  if (toNearestDouble(base) === 0 && toNearestDouble(exponent) < 0)
    throw mongoError(28764, '$pow cannot take a base of 0 and a negative exponent');
  const asDouble = () => new Double(toNearestDouble(base) ** toNearestDouble(exponent));
  if (base instanceof Double || exponent instanceof Double) return asDouble();
  const whole = wholePower(wholeOf(base as Int32 | Long), wholeOf(exponent as Int32 | Long));
  if (whole === undefined) return asDouble();
  const areInts = base instanceof Int32 && exponent instanceof Int32;
  return areInts && BigInt.asIntN(32, whole) === whole ? new Int32(Number(whole)) : Long.fromBigInt(whole);
}

const MAX_EXPONENT = 63n;

function wholePower(base: bigint, exponent: bigint): bigint | undefined {
  if (base === 1n || (base === -1n && exponent % 2n === 0n)) return 1n;
  if (base === -1n) return -1n;
  if (base === 0n) return exponent === 0n ? 1n : 0n;
  if (exponent < 0n || exponent > MAX_EXPONENT) return undefined;
  const result = base ** exponent;
  return BigInt.asIntN(64, result) === result ? result : undefined;
}
