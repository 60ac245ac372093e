import { type BsonValue, isNumeric } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { compareValues } from '../semantics/compare.ts';
import { NumberSum } from './number-sum.ts';
import { isNullish } from './operator.ts';
import { OUT_OF_SCOPE_ACCUMULATORS } from './out-of-scope.ts';

/** Receives the values of a group one by one, then returns the result. Undefined stands for a missing field. */
export interface Accumulator {
  add(value: BsonValue | undefined): void;
  result(): BsonValue;
}

export type MakeAccumulator = () => Accumulator;

/** Every accumulator in scope. */
export const ACCUMULATORS: Readonly<Record<string, MakeAccumulator>> = {
  $sum: sum,
  $min: () => keeping((value, kept) => isBeyond(value, kept, -1)),
  $max: () => keeping((value, kept) => isBeyond(value, kept, 1)),
  $first: () => keeping((_value, kept) => kept === undefined),
};

/** Returns the factory of the named accumulator. Throws MongoDB's error if the name is unknown. */
export function accumulatorNamed(name: string): MakeAccumulator {
  const make = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name] : undefined;
  if (make !== undefined) return make;
  if (OUT_OF_SCOPE_ACCUMULATORS.has(name)) throw outOfScope(`the accumulator ${name}`);
  throw mongoError(15952, `unknown group operator '${name}'`);
}

/** Ignores values that are not numbers. */
function sum(): Accumulator {
  const total = new NumberSum();
  return {
    add: (value) => {
      if (isNumeric(value)) total.add(value);
    },
    result: () => total.result(),
  };
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
