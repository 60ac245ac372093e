import {
  type BsonValue,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  type NumericValue,
} from '../../src/bson/document.ts';
import { matcherOf, parseFilter } from './filter.ts';
import {
  addExact,
  compareNumbers,
  decimal,
  exactAsDecimal,
  exactly,
  fitsLong,
  intOrLong,
  isNotANumber,
  isNumber,
  long,
  multiplyExact,
  toDouble,
  wholeNumber,
} from './numbers.ts';
import { compare, isEqual, isIdentical } from './order.ts';
import { valueAt } from './paths.ts';
import { Rejected, rejectUnless, Undetermined } from './rejected.ts';

/** The effect of a modifier on an existing value; undefined if the value does not change. */
type Change = { value: BsonValue } | 'remove' | undefined;

/** One modifier on one field. */
export interface Modifier {
  onValue(value: BsonValue): Change;
  /** The value for a missing field. Without this function, the modifier creates nothing. */
  onMissing?(): BsonValue;
  /** Whether the modifier treats a path through a value without fields like a missing field. */
  passesBlockedPath?: boolean;
  isOnlyForInsert?: boolean;
}

export function parseModifier(name: string, operand: BsonValue): Modifier {
  const parse = MODIFIERS[name];
  if (parse === undefined) throw new Rejected(`Unknown modifier: ${name}`, 9);
  return parse(operand);
}

const MODIFIERS: Record<string, (operand: BsonValue) => Modifier> = {
  $set,
  $setOnInsert: (operand) => ({ ...$set(operand), isOnlyForInsert: true }),
  $unset: () => ({ onValue: () => 'remove', passesBlockedPath: true }),
  $inc: (operand) => arithmetic(operand, add, (number) => number),
  $mul: (operand) => arithmetic(operand, multiply, (number) => multiply(number, new Int32(0))),
  $min: (operand) => extreme(operand, -1),
  $max: (operand) => extreme(operand, 1),
  $bit: bit,
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: (operand) => removing(pullMatcher(operand)),
  $pullAll: (operand) => {
    rejectUnless(Array.isArray(operand), '$pullAll requires an array argument', 2);
    return removing((element) => operand.some((one) => isEqual(one, element)));
  },
};

function $set(operand: BsonValue): Modifier {
  return {
    onValue: (value) => (isIdentical(value, operand) ? undefined : { value: operand }),
    onMissing: () => operand,
  };
}

/** Integers must stay integers: a result that does not fit in a long is rejected. */
function combineNumbers(
  a: NumericValue,
  b: NumericValue,
  [integers, doubles, decimals]: readonly [
    (a: bigint, b: bigint) => bigint,
    (a: number, b: number) => number,
    typeof addExact,
  ],
): NumericValue {
  if (a instanceof Decimal128 || b instanceof Decimal128)
    return decimal(decimals(exactAsDecimal(a), exactAsDecimal(b)));
  if (a instanceof Double || b instanceof Double)
    return new Double(doubles(toDouble(exactly(a)), toDouble(exactly(b))));
  const result = integers(BigInt(a.toString()), BigInt(b.toString()));
  rejectUnless(fitsLong(result), 'failed to apply the operation to the current value', 2);
  return a instanceof Long || b instanceof Long ? long(result) : intOrLong(result);
}

const add = (a: NumericValue, b: NumericValue) =>
  combineNumbers(a, b, [(x, y) => x + y, (x, y) => x + y, addExact]);
const multiply = (a: NumericValue, b: NumericValue) =>
  combineNumbers(a, b, [(x, y) => x * y, (x, y) => x * y, multiplyExact]);

function arithmetic(
  operand: BsonValue,
  combine: (a: NumericValue, b: NumericValue) => NumericValue,
  onMissing: (operand: NumericValue) => NumericValue,
): Modifier {
  rejectUnless(isNumber(operand), 'cannot apply a non-numeric argument', 14);
  return {
    onValue(value) {
      rejectUnless(isNumber(value), 'cannot apply to a value of non-numeric type', 14);
      const result = combine(operand, value);
      const isSame =
        result.constructor === value.constructor &&
        compareNumbers(result, value) === 0 &&
        !isNotANumber(value);
      return isSame ? undefined : { value: result };
    },
    onMissing: () => onMissing(operand),
  };
}

function extreme(operand: BsonValue, sign: number): Modifier {
  return {
    onValue: (value) => (compare(operand, value) * sign > 0 ? { value: operand } : undefined),
    onMissing: () => operand,
  };
}

const isInteger = (value: BsonValue): value is Int32 | Long =>
  isNumber(value) && (value instanceof Int32 || value instanceof Long);

const BITS: Record<string, (a: bigint, b: bigint) => bigint> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

function bit(operand: BsonValue): Modifier {
  rejectUnless(operand instanceof Map && operand.size > 0, 'the $bit modifier needs an object', 2);
  const steps = [...operand].map(([name, argument]) => {
    const combine = BITS[name];
    rejectUnless(
      combine !== undefined && isInteger(argument),
      'the $bit modifier takes and, or, xor of integers',
      2,
    );
    return (value: Int32 | Long) => {
      const result = combine(BigInt(value.toString()), BigInt(argument.toString()));
      return value instanceof Long || argument instanceof Long ? long(result) : intOrLong(result);
    };
  });
  const apply = (value: Int32 | Long) => steps.reduce((result, step) => step(result), value);
  return {
    onValue(value) {
      rejectUnless(isInteger(value), 'cannot apply $bit to a value of non-integral type', 2);
      const result = apply(value);
      return isIdentical(result, value) ? undefined : { value: result };
    },
    onMissing: () => apply(new Int32(0)),
  };
}

function arrayOf(value: BsonValue, code: number): BsonValue[] {
  rejectUnless(Array.isArray(value), 'the field must be an array', code);
  return value;
}

interface Push {
  each: BsonValue[];
  position: number;
  slice: number;
  sort: ((a: BsonValue, b: BsonValue) => number) | undefined;
}

function push(operand: BsonValue): Modifier {
  const parsed = parsePush(operand);
  return {
    onValue(value) {
      const array = arrayOf(value, 2);
      const result = pushInto(array, parsed);
      const isUntouched = parsed.each.length === 0 && parsed.sort === undefined && isIdentical(result, array);
      return isUntouched ? undefined : { value: result };
    },
    onMissing: () => pushInto([], parsed),
  };
}

function parsePush(operand: BsonValue): Push {
  if (!(operand instanceof Map && operand.has('$each'))) {
    return { each: [operand], position: Infinity, slice: Infinity, sort: undefined };
  }
  for (const name of operand.keys()) {
    rejectUnless(['$each', '$position', '$slice', '$sort'].includes(name), 'unrecognized clause in $push', 2);
  }
  const each = operand.get('$each');
  rejectUnless(Array.isArray(each), 'the argument to $each in $push must be an array', 2);
  const sort = operand.get('$sort');
  return {
    each,
    position: wholeClause(operand, '$position'),
    slice: wholeClause(operand, '$slice'),
    sort: sort === undefined ? undefined : parsePushSort(sort),
  };
}

function wholeClause(operand: Document, name: string): number {
  const value = operand.get(name);
  if (value === undefined) return Infinity;
  const whole = wholeNumber(value);
  rejectUnless(whole !== undefined, `the value for ${name} must be an integer value`, 2);
  return Number(whole);
}

function parsePushSort(sort: BsonValue): (a: BsonValue, b: BsonValue) => number {
  if (!(sort instanceof Map)) return withDirection(sort, (element) => element);
  rejectUnless(sort.size > 0, 'the $sort pattern is empty', 2);
  const orders = [...sort].map(([path, direction]) => {
    const names = path.split('.');
    // An element that is not a document has none of the fields.
    return withDirection(direction, (element) =>
      element instanceof Map ? (valueAt(element, names) ?? null) : null,
    );
  });
  return (a, b) => orders.reduce((found, order) => found || order(a, b), 0);
}

function withDirection(direction: BsonValue, keyOf: (element: BsonValue) => BsonValue) {
  const sign = isNumber(direction) ? toDouble(exactly(direction)) : 0;
  rejectUnless(sign === 1 || sign === -1, 'the $sort element value must be either 1 or -1', 2);
  return (a: BsonValue, b: BsonValue) => compare(keyOf(a), keyOf(b)) * sign;
}

function pushInto(array: readonly BsonValue[], { each, position, slice, sort }: Push): BsonValue[] {
  const start = position < 0 ? Math.max(0, array.length + position) : Math.min(position, array.length);
  const result = [...array.slice(0, start), ...each, ...array.slice(start)];
  if (sort !== undefined) result.sort(sort);
  return slice >= 0 ? result.slice(0, slice) : result.slice(slice);
}

function addToSet(operand: BsonValue): Modifier {
  const isEach = operand instanceof Map && operand.keys().next().value === '$each';
  const given = isEach ? operand.get('$each') : [operand];
  rejectUnless(Array.isArray(given), 'the argument to $each in $addToSet must be an array', 14);
  rejectUnless(!isEach || operand.size === 1, 'found unexpected fields after $each in $addToSet', 2);
  const addTo = (array: readonly BsonValue[]) => {
    const result = [...array];
    for (const value of given) if (!result.some((one) => isEqual(one, value))) result.push(value);
    return result;
  };
  return {
    onValue(value) {
      const array = arrayOf(value, 2);
      const result = addTo(array);
      return result.length === array.length ? undefined : { value: result };
    },
    onMissing: () => addTo([]),
  };
}

function pop(operand: BsonValue): Modifier {
  const side = wholeNumber(operand);
  rejectUnless(side === 1n || side === -1n, '$pop expects 1 or -1', 9);
  return {
    onValue(value) {
      const array = arrayOf(value, 14);
      if (array.length === 0) return undefined;
      return { value: side === 1n ? array.slice(0, -1) : array.slice(1) };
    },
  };
}

function removing(matches: (element: BsonValue) => boolean): Modifier {
  return {
    onValue(value) {
      const array = arrayOf(value, 2);
      const rest = array.filter((element) => !matches(element));
      return rest.length === array.length ? undefined : { value: rest };
    },
  };
}

const CONDITIONS =
  '$eq $ne $gt $gte $lt $lte $in $nin $exists $type $regex $options $mod $size $all $elemMatch';

/** A document filters elements that are documents; operators and patterns apply to the element itself. */
function pullMatcher(operand: BsonValue): (element: BsonValue) => boolean {
  if (!(operand instanceof Map)) return matcherOf(operand);
  const name = operand.keys().next().value;
  // Versions of MongoDB differ in whether these are conditions.
  if (name === '$eq' || name === '$not') throw new Undetermined(`${name} in $pull`);
  if (name !== undefined && CONDITIONS.split(' ').includes(name)) return matcherOf(operand);
  const filter = parseFilter(operand, true);
  return (element) => element instanceof Map && filter(element);
}
