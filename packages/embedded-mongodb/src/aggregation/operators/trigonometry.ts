import { Decimal128, Double } from 'bson';
import { isNumeric, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { type CompileOperator, isNullish, type Operators, onArguments } from '../operator.ts';

/** Where a function is defined. */
interface Domain {
  text: string;
  has(value: number): boolean;
}

const ALL: Domain = { text: '[-inf,inf]', has: () => true };
const FINITE: Domain = { text: '(-inf,inf)', has: Number.isFinite };
const UNIT: Domain = { text: '[-1,1]', has: (value) => value >= -1 && value <= 1 };
const FROM_ONE: Domain = { text: '[1,inf]', has: (value) => value >= 1 };

const RADIANS_PER_DEGREE = Math.PI / 180;

export const TRIGONOMETRY_OPERATORS: Operators = {
  $sin: onDouble(Math.sin, FINITE),
  $cos: onDouble(Math.cos, FINITE),
  $tan: onDouble(Math.tan, FINITE),
  $asin: onDouble(Math.asin, UNIT),
  $acos: onDouble(Math.acos, UNIT),
  $atan: onDouble(Math.atan, ALL),
  $sinh: onDouble(Math.sinh, ALL),
  $cosh: onDouble(Math.cosh, ALL),
  $tanh: onDouble(Math.tanh, ALL),
  $asinh: onDouble(Math.asinh, ALL),
  $acosh: onDouble(Math.acosh, FROM_ONE),
  $atanh: onDouble(Math.atanh, UNIT),
  $degreesToRadians: onDouble((degrees) => degrees * RADIANS_PER_DEGREE, ALL),
  $radiansToDegrees: onDouble((radians) => radians / RADIANS_PER_DEGREE, ALL),
  $atan2: onArguments(2, ([y, x], name) => {
    if (isNullish(y) || isNullish(x)) return null;
    if (!isNumeric(y) || !isNumeric(x)) {
      throw mongoError(51044, `${name} only supports numeric types, not ${typeName(y)} and ${typeName(x)}`);
    }
    if (y instanceof Decimal128 || x instanceof Decimal128) throw notImplemented(`${name} of a decimal`);
    return new Double(Math.atan2(toNearestDouble(y), toNearestDouble(x)));
  }),
};

function onDouble(calculate: (value: number) => number, domain: Domain): CompileOperator {
  return onArguments(1, ([value], name) => {
    if (isNullish(value)) return null;
    if (!isNumeric(value))
      throw mongoError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    if (value instanceof Decimal128) throw notImplemented(`${name} of a decimal`);
    const number = toNearestDouble(value);
    if (!Number.isNaN(number) && !domain.has(number)) {
      throw mongoError(50989, `cannot apply ${name} to ${number}, value must be in ${domain.text}`);
    }
    return new Double(calculate(number));
  });
}
