import { Decimal128, Double } from 'bson';
import {
  type BsonValue,
  type Document,
  integer,
  isDocument,
  isNumeric,
  type NumericValue,
  typeName,
} from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { divideDecimals } from '../semantics/arithmetic.ts';
import type { Collation } from '../semantics/collation.ts';
import { compareValues } from '../semantics/compare.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { NumberSum } from './number-sum.ts';
import { isNullish } from './operator.ts';
import { ValueSet } from './value-set.ts';

/** Takes the values of a group one by one, then tells what they come to. Undefined stands for a missing field. */
export interface Accumulator {
  add(value: BsonValue | undefined): void;
  result(): BsonValue;
}

export type MakeAccumulator = (collation: Collation | undefined) => Accumulator;

const ACCUMULATORS: Readonly<Record<string, MakeAccumulator>> = {
  $sum: sum,
  $avg: average,
  $min: (collation) => extreme(1, collation),
  $max: (collation) => extreme(-1, collation),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
  $mergeObjects: mergeObjects,
  $stdDevPop: () => standardDeviation(0),
  $stdDevSamp: () => standardDeviation(1),
};

const UNSUPPORTED = new Set(['$accumulator', '$median', '$percentile']);

/** How to make the accumulator of that name. Throws MongoDB's error for one that there is not. */
export function accumulatorNamed(name: string): MakeAccumulator {
  const make = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name] : undefined;
  if (make !== undefined) return make;
  if (UNSUPPORTED.has(name)) throw notImplemented(`the accumulator ${name}`);
  throw mongoError(15952, `unknown group operator '${name}'`);
}

/** Values that are no numbers count for nothing. */
function sum(): Accumulator {
  const total = new NumberSum();
  return {
    add: (value) => {
      if (value !== undefined && isNumeric(value)) total.add(value);
    },
    result: () => total.total(),
  };
}

function average(): Accumulator {
  const total = new NumberSum();
  return {
    add: (value) => {
      if (value !== undefined && isNumeric(value)) total.add(value);
    },
    result: () => (total.count === 0 ? null : quotient(total.total(), total.count)),
  };
}

function quotient(total: NumericValue, count: number): BsonValue {
  if (total instanceof Decimal128) return divideDecimals(total, Decimal128.fromString(String(count)));
  return new Double(toNearestDouble(total) / count);
}

/** Null, undefined and missing values are passed over, unless there is nothing else. */
function extreme(direction: 1 | -1, collation: Collation | undefined): Accumulator {
  let best: BsonValue | undefined;
  return {
    add: (value) => {
      if (isNullish(value)) return;
      if (best === undefined || direction * compareValues(value, best, collation) < 0) best = value;
    },
    result: () => best ?? null,
  };
}

function first(): Accumulator {
  let found: BsonValue = null;
  let isFound = false;
  return {
    add: (value) => {
      if (!isFound) found = value ?? null;
      isFound = true;
    },
    result: () => found,
  };
}

function last(): Accumulator {
  let found: BsonValue = null;
  return {
    add: (value) => {
      found = value ?? null;
    },
    result: () => found,
  };
}

function push(): Accumulator {
  const values: BsonValue[] = [];
  return {
    add: (value) => {
      if (value !== undefined) values.push(value);
    },
    result: () => values,
  };
}

function addToSet(collation: Collation | undefined): Accumulator {
  const values = new ValueSet(collation);
  return {
    add: (value) => {
      if (value !== undefined) values.add(value);
    },
    result: () => values.values(),
  };
}

function mergeObjects(): Accumulator {
  const merged: Document = new Map();
  return {
    add: (value) => {
      if (isNullish(value)) return;
      if (!isDocument(value)) {
        throw mongoError(
          40400,
          `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`,
        );
      }
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

/** By Welford's method. `fewer` is 1 for a sample, which has a degree of freedom less. Without enough numbers it is null. */
function standardDeviation(fewer: 0 | 1): Accumulator {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add: (value) => {
      if (value === undefined || !isNumeric(value)) return;
      const number = toNearestDouble(value);
      count += 1;
      const distance = number - mean;
      mean += distance / count;
      squares += distance * (number - mean);
    },
    result: () => (count <= fewer ? null : new Double(Math.sqrt(squares / (count - fewer)))),
  };
}
