import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../../semantics/collation.ts';
import { compareValues } from '../../semantics/compare.ts';
import { truthOf } from '../../semantics/truth.ts';
import { isNullish, type Operators, onArguments } from '../operator.ts';

type Values = (BsonValue | undefined)[];
const ANY_NUMBER: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

/** MongoDB leaves the order of a set open and gives it sorted. */
export const SET_OPERATORS: Operators = {
  $setUnion: onArguments(ANY_NUMBER, (values, name, collation) =>
    values.some(isNullish)
      ? null
      : distinct(
          values.flatMap((value) => arrayOf(value, 17043, name)),
          collation,
        ),
  ),
  $setIntersection: onArguments(ANY_NUMBER, intersection),
  $setDifference: onArguments(2, ([a, b], name, collation) => {
    if (isNullish(a) || isNullish(b)) return null;
    const others = arrayOf(b, 17049, name);
    return withoutRepeats(arrayOf(a, 17048, name), collation).filter(
      (value) => !includes(others, value, collation),
    );
  }),
  $setEquals: onArguments([2, Number.POSITIVE_INFINITY], (values, name, collation) => {
    const [first, ...rest] = values.map((value) => distinct(arrayOf(value, 17044, name), collation));
    return rest.every((other) => compareValues(first as BsonValue[], other, collation) === 0);
  }),
  $setIsSubset: onArguments(2, ([a, b], name, collation) => {
    const others = arrayOf(b, 17042, name);
    return arrayOf(a, 17046, name).every((value) => includes(others, value, collation));
  }),
  $anyElementTrue: onArguments(1, ([array], name) => arrayOf(array, 17041, name).some(truthOf)),
  $allElementsTrue: onArguments(1, ([array], name) => arrayOf(array, 17040, name).every(truthOf)),
};

function arrayOf(value: BsonValue | undefined, code: number, name: string): BsonValue[] {
  if (Array.isArray(value)) return value;
  throw mongoError(
    code,
    `All operands of ${name} must be arrays. One argument is of type: ${value === undefined ? 'missing' : typeName(value)}`,
  );
}

function includes(
  values: readonly BsonValue[],
  wanted: BsonValue,
  collation: Collation | undefined,
): boolean {
  return values.some((value) => compareValues(value, wanted, collation) === 0);
}

/** Each value once, sorted. */
export function distinct(values: readonly BsonValue[], collation?: Collation): BsonValue[] {
  const sorted = values.toSorted((a, b) => compareValues(a, b, collation));
  return sorted.filter(
    (value, index) => index === 0 || compareValues(value, sorted[index - 1] as BsonValue, collation) !== 0,
  );
}

function withoutRepeats(values: readonly BsonValue[], collation: Collation | undefined): BsonValue[] {
  const kept: BsonValue[] = [];
  for (const value of values) if (!includes(kept, value, collation)) kept.push(value);
  return kept;
}

function intersection(values: Values, name: string, collation: Collation | undefined): BsonValue {
  if (values.some(isNullish)) return null;
  const [first = [], ...rest] = values.map((value) => arrayOf(value, 17047, name));
  return distinct(first, collation).filter((value) =>
    rest.every((other) => includes(other, value, collation)),
  );
}
