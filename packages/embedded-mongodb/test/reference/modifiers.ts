import { type BsonValue, Double, Int32, Long, type NumericValue } from '../../src/bson/document.ts';
import { rejectDecimals } from './arithmetic.ts';
import { matcherOf, parseFilter } from './filter.ts';
import {
  compareNumbers,
  exactly,
  fitsLong,
  intOrLong,
  isNotANumber,
  isNumber,
  long,
  toDouble,
  wholeNumber,
} from './numbers.ts';
import { compare, isIdentical } from './order.ts';
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
  $inc: increment,
  $min: (operand) => extreme(operand, -1),
  $max: (operand) => extreme(operand, 1),
  $bit: bit,
  $push: push,
  $pull: (operand) => removing(pullMatcher(operand)),
};

function $set(operand: BsonValue): Modifier {
  return {
    onValue: (value) => (isIdentical(value, operand) ? undefined : { value: operand }),
    onMissing: () => operand,
  };
}

function increment(operand: BsonValue): Modifier {
  rejectUnless(isNumber(operand), 'cannot apply a non-numeric argument', 14);
  return {
    onValue(value) {
      rejectUnless(isNumber(value), 'cannot apply to a value of non-numeric type', 14);
      const result = add(operand, value);
      const isSame =
        result.constructor === value.constructor &&
        compareNumbers(result, value) === 0 &&
        !isNotANumber(value);
      return isSame ? undefined : { value: result };
    },
    onMissing: () => operand,
  };
}

/** Integers must stay integers: a result that does not fit in a long is rejected. */
function add(a: NumericValue, b: NumericValue): NumericValue {
  rejectDecimals(a, b);
  if (a instanceof Double || b instanceof Double)
    return new Double(toDouble(exactly(a)) + toDouble(exactly(b)));
  const result = BigInt(a.toString()) + BigInt(b.toString());
  rejectUnless(fitsLong(result), 'failed to apply the operation to the current value', 2);
  return a instanceof Long || b instanceof Long ? long(result) : intOrLong(result);
}

function extreme(operand: BsonValue, sign: number): Modifier {
  return {
    onValue: (value) => (compare(operand, value) * sign > 0 ? { value: operand } : undefined),
    onMissing: () => operand,
  };
}

const isInteger = (value: BsonValue): value is Int32 | Long =>
  isNumber(value) && (value instanceof Int32 || value instanceof Long);

function bit(operand: BsonValue): Modifier {
  rejectUnless(operand instanceof Map && operand.size > 0, 'the $bit modifier needs an object', 2);
  const mask = operand.get('or') ?? null;
  rejectUnless(operand.size === 1 && isInteger(mask), 'the $bit modifier takes or of an integer', 2);
  const apply = (value: Int32 | Long) => {
    const result = BigInt(value.toString()) | BigInt(mask.toString());
    return value instanceof Long || mask instanceof Long ? long(result) : intOrLong(result);
  };
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

function push(operand: BsonValue): Modifier {
  const { each, slice } = parsePush(operand);
  const pushTo = (array: readonly BsonValue[]) => {
    const result = [...array, ...each];
    return slice >= 0 ? result.slice(0, slice) : result.slice(slice);
  };
  return {
    onValue(value) {
      const array = arrayOf(value, 2);
      const result = pushTo(array);
      return each.length === 0 && isIdentical(result, array) ? undefined : { value: result };
    },
    onMissing: () => pushTo([]),
  };
}

function parsePush(operand: BsonValue): { each: BsonValue[]; slice: number } {
  if (!(operand instanceof Map && operand.has('$each'))) return { each: [operand], slice: Infinity };
  for (const name of operand.keys())
    rejectUnless(['$each', '$slice'].includes(name), 'unrecognized clause in $push', 2);
  const each = operand.get('$each');
  rejectUnless(Array.isArray(each), 'the argument to $each in $push must be an array', 2);
  if (!operand.has('$slice')) return { each, slice: Infinity };
  const slice = wholeNumber(operand.get('$slice'));
  rejectUnless(slice !== undefined, 'the value for $slice must be an integer value', 2);
  return { each, slice: Number(slice) };
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

const CONDITIONS = '$eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options $mod $size $elemMatch';

/** A document filters elements that are documents; operators and patterns apply to the element itself. */
function pullMatcher(operand: BsonValue): (element: BsonValue) => boolean {
  if (!(operand instanceof Map)) return matcherOf(operand);
  const name = operand.keys().next().value;
  // Versions of MongoDB differ in whether these are conditions.
  if (name === '$eq' || name === '$not') throw new Undetermined(`${name} in $pull`);
  if (name !== undefined && CONDITIONS.split(' ').includes(name)) return matcherOf(operand);
  const filter = parseFilter(operand);
  return (element) => element instanceof Map && filter(element);
}
