import { Decimal128, Double } from 'bson';
import { type BsonValue, type Document, integer, isDocument, isNumeric, typeName } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { keepBytes, spendSteps } from '../computation-limit.ts';
import { divideDecimals } from '../semantics/arithmetic.ts';
import { compareValues } from '../semantics/compare.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { memoryOf } from '../semantics/value-memory.ts';
import { NumberSum } from './number-sum.ts';
import { isNullish } from './operator.ts';
import { OUT_OF_SCOPE_ACCUMULATORS } from './out-of-scope.ts';
import { ValueSet } from './value-set.ts';

/** Receives the values of a group one by one, then returns the result. Undefined stands for a missing field. */
export interface Accumulator {
  add(value: BsonValue | undefined): void;
  result(): BsonValue;
}

export type MakeAccumulator = () => Accumulator;

/** Every accumulator in scope besides `$count`, which takes no value. */
export const ACCUMULATORS: Readonly<Record<string, MakeAccumulator>> = {
  $sum: () => numeric((sum) => sum.total()),
  $avg: () => numeric(average),
  $min: () => keeping((value, kept) => isBeyond(value, kept, -1)),
  $max: () => keeping((value, kept) => isBeyond(value, kept, 1)),
  $first: () => keeping((_value, kept) => kept === undefined),
  $last: () => keeping(() => true),
  $push: push,
  $addToSet: addToSet,
  $mergeObjects: mergeObjects,
};

/** Returns the factory of the named accumulator. Throws MongoDB's error if the name is unknown. */
export function accumulatorNamed(name: string): MakeAccumulator {
  const make = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name] : undefined;
  if (make !== undefined) return make;
  if (OUT_OF_SCOPE_ACCUMULATORS.has(name)) throw outOfScope(`the accumulator ${name}`);
  throw mongoError(15952, `unknown group operator '${name}'`);
}

/** Ignores values that are not numbers. */
function numeric(result: (sum: NumberSum) => BsonValue): Accumulator {
  const sum = new NumberSum();
  return {
    add: (value) => {
      if (isNumeric(value)) sum.add(value);
    },
    result: () => result(sum),
  };
}

function average(sum: NumberSum): BsonValue {
  if (sum.count === 0) return null;
  const total = sum.total();
  if (total instanceof Decimal128) return divideDecimals(total, Decimal128.fromString(String(sum.count)));
  return new Double(toNearestDouble(total) / sum.count);
}

/** Keeps one of the values. A missing value counts as null, and an empty group results in null. */
function keeping(
  replaces: (value: BsonValue | undefined, kept: BsonValue | undefined) => boolean,
): Accumulator {
  let kept: BsonValue | undefined;
  return {
    add: (value) => {
      if (replaces(value, kept)) kept = value ?? null;
    },
    result: () => kept ?? null,
  };
}

/** Whether the value sorts on the given side of the kept value. Null and missing values never do. */
function isBeyond(value: BsonValue | undefined, kept: BsonValue | undefined, side: 1 | -1): boolean {
  return !isNullish(value) && (kept === undefined || side * compareValues(value, kept) > 0);
}

function push(): Accumulator {
  const values: BsonValue[] = [];
  return {
    add: (value) => {
      if (value === undefined) return;
      keepBytes(memoryOf(value));
      values.push(value);
    },
    result: () => values,
  };
}

function addToSet(): Accumulator {
  const values = new ValueSet();
  return {
    add: (value) => {
      if (value !== undefined && values.add(value)) keepBytes(memoryOf(value));
    },
    result: () => values.values(),
  };
}

function mergeObjects(): Accumulator {
  const merged: Document = new Map();
  return {
    add: (value) => {
      if (isNullish(value)) return;
      if (!isDocument(value))
        throw mongoError(40400, `$mergeObjects requires object inputs, but input is a ${typeName(value)}`);
      spendSteps(value.size);
      for (const [name, field] of value) merged.set(name, field);
    },
    result: () => merged,
  };
}

/** `$count: {}` in `$group`. */
export function counter(): Accumulator {
  let count = 0;
  return {
    add: () => {
      count += 1;
    },
    result: () => integer(count),
  };
}
