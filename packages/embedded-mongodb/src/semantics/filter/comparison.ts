import { BSONRegExp } from 'bson';
import type { BsonValue } from '../../bson/document.ts';
import { spendForSort, spendSteps } from '../../computation-limit.ts';
import { compareValues, compareWithinClass, LONG_TEXT, TYPE_CLASS, typeClassOf } from '../compare.ts';
import { isNaNValue } from '../numbers.ts';
import type { ComparisonOperator } from './node.ts';
import type { CompiledRegex } from './regex.ts';

/** A condition on one value; a missing value is undefined. An array is tested as a whole. */
export type Test = (value: BsonValue | undefined) => boolean;

const HOLDS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

export function comparisonTest(operator: ComparisonOperator, wanted: BsonValue): Test {
  if (typeof wanted === 'string' && wanted.length <= LONG_TEXT && operator === 'eq')
    return (value) => value === wanted;
  const holds = HOLDS[operator];
  const wantedClass = typeClassOf(wanted);
  // Null matches null and missing fields. NaN compares only with NaN, although it sorts below the other numbers.
  if (wanted === null) return (value) => (value === undefined || value === null) && holds(0);
  if (isNaNValue(wanted)) return (value) => isNaNValue(value) && holds(0);
  // MinKey and MaxKey compare with all types and with missing fields.
  if (wantedClass === TYPE_CLASS.minKey)
    return (value) => holds(value === undefined ? 1 : compareValues(value, wanted));
  if (wantedClass === TYPE_CLASS.maxKey)
    return (value) => holds(value === undefined ? -1 : compareValues(value, wanted));
  return (value) => {
    // Comparisons stay within a type class: $gt: 5 never matches a string.
    if (value === undefined || typeClassOf(value) !== wantedClass || isNaNValue(value)) return false;
    return holds(compareWithinClass(wantedClass, value, wanted));
  };
}

export function inTest(values: readonly BsonValue[]): Test {
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const others = values.filter((value) => typeof value !== 'string').sort(compareValues);
  const matchesMissing = values.includes(null);
  spendForSort(values.length);
  const steps = Math.log2(others.length + 1);
  return (value) => {
    if (value === undefined) return matchesMissing;
    spendSteps(steps);
    return typeof value === 'string' ? texts.has(value) : isAmong(others, value);
  };
}

function isAmong(sorted: readonly BsonValue[], value: BsonValue): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareValues(sorted[middle] as BsonValue, value);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** A regular expression matches strings, and identical regular expressions. */
export function regexTest(regex: CompiledRegex): Test {
  return (value) =>
    typeof value === 'string'
      ? regex.test(value)
      : value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options;
}
