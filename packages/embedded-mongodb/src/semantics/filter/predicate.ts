import { Binary, BSONRegExp, BSONSymbol, Decimal128, Long } from 'bson';
import { type BsonValue, isNumeric, type NumericValue, typeNumber } from '../../bson/document.ts';
import type { Collation } from '../collation.ts';
import { compareValues, compareWithinClass, TYPE_CLASS, typeClassOf } from '../compare.ts';
import { asExactDouble, exactDecimal, isNaNValue } from '../numbers.ts';
import type { ComparisonOperator, ElemMatch, Predicate } from './node.ts';
import type { CompiledRegex } from './regex.ts';

type Test = (value: BsonValue | undefined) => boolean;

/** The function that asks one value; an array given to it is asked as a whole. */
export function predicateTest(
  predicate: Exclude<Predicate, ElemMatch>,
  collation: Collation | undefined,
): Test {
  switch (predicate.kind) {
    case 'compare':
      return comparisonTest(predicate.operator, predicate.value, collation);
    case 'in':
      return inTest(predicate.values, predicate.regexes, collation);
    case 'regex':
      return (value) => matchesRegex(predicate.regex, value);
    case 'exists':
      return (value) => value !== undefined;
    case 'type':
      return (value) =>
        value !== undefined &&
        (predicate.types.has(typeNumber(value)) || (predicate.matchesAnyNumber && isNumeric(value)));
    case 'mod':
      return (value) => {
        const whole = truncatedToInt64(value);
        return whole !== undefined && whole % predicate.divisor === predicate.remainder;
      };
    case 'size':
      return (value) => Array.isArray(value) && value.length === predicate.size;
    case 'bits':
      return (value) => {
        const bits = bitsOf(value);
        return bits !== undefined && hasBits(bits, predicate.mask, predicate.wanted);
      };
  }
}

function comparisonTest(
  operator: ComparisonOperator,
  wanted: BsonValue,
  collation: Collation | undefined,
): Test {
  const wantedClass = typeClassOf(wanted);
  if (typeof wanted === 'string' && operator === 'eq' && collation === undefined) {
    return (value) => value === wanted || (value instanceof BSONSymbol && value.value === wanted);
  }
  if (wanted === null) return nullTest(operator);
  if (isNaNValue(wanted))
    return operator === 'eq' || operator === 'gte' || operator === 'lte' ? isNaNValue : () => false;
  if (wantedClass === TYPE_CLASS.minKey || wantedClass === TYPE_CLASS.maxKey)
    return extremeTest(operator, wanted);
  return (value) => {
    // Comparisons stay within a type class: $gt: 5 never matches a string.
    if (value === undefined || typeClassOf(value) !== wantedClass) return false;
    // NaN is comparable with NaN only, though it sorts below the other numbers.
    if (isNaNValue(value)) return false;
    return holds(operator, compareWithinClass(wantedClass, value, wanted, collation));
  };
}

function holds(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** Null matches null, undefined and a missing field. */
function nullTest(operator: ComparisonOperator): Test {
  if (operator === 'gt' || operator === 'lt') return () => false;
  return (value) => {
    if (value === undefined || value === null) return true;
    return typeof value === 'object' && typeClassOf(value) === TYPE_CLASS.undefined;
  };
}

/** MinKey and MaxKey compare with all types, and with a missing field. */
function extremeTest(operator: ComparisonOperator, wanted: BsonValue): Test {
  const isMin = typeClassOf(wanted) === TYPE_CLASS.minKey;
  return (value) => {
    const order = value === undefined ? (isMin ? 1 : -1) : compareValues(value, wanted);
    return holds(operator, order);
  };
}

const MANY_VALUES = 8;

function inTest(
  values: readonly BsonValue[],
  regexes: readonly CompiledRegex[],
  collation: Collation | undefined,
): Test {
  if (collation !== undefined) {
    const tests = values.map((value) => comparisonTest('eq', value, collation));
    return (value) =>
      tests.some((test) => test(value)) || regexes.some((regex) => matchesRegex(regex, value));
  }
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const others = values
    .filter((value) => typeof value !== 'string')
    .map((value) => comparisonTest('eq', value, undefined));
  const anyOther = others.length > MANY_VALUES ? sortedInTest(values) : undefined;
  return (value) => {
    if (typeof value === 'string' && texts.has(value)) return true;
    if (value instanceof BSONSymbol && texts.has(value.value)) return true;
    if (anyOther === undefined ? others.some((test) => test(value)) : anyOther(value)) return true;
    return regexes.some((regex) => matchesRegex(regex, value));
  };
}

/** A long $in is searched by halves, as it is asked of every document. */
function sortedInTest(values: readonly BsonValue[]): Test {
  const sorted = values.filter((value) => typeof value !== 'string').sort(compareValues);
  const matchesNull = sorted.some((value) => value === null);
  const isNullLike = nullTest('eq');
  return (value) => {
    if (value === undefined) return matchesNull;
    if (matchesNull && isNullLike(value)) return true;
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
  };
}

function matchesRegex(regex: CompiledRegex, value: BsonValue | undefined): boolean {
  if (typeof value === 'string') return regex.test(value);
  if (value instanceof BSONSymbol) return regex.test(value.value);
  return value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options;
}

/** The number without its fraction, where it fits an int64: what $mod divides. */
export function truncatedToInt64(value: BsonValue | undefined): bigint | undefined {
  if (value === undefined || !isNumeric(value)) return undefined;
  const whole = truncated(value);
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function truncated(value: NumericValue): bigint | undefined {
  const double = asExactDouble(value);
  if (double !== undefined) return Number.isFinite(double) ? BigInt(Math.trunc(double)) : undefined;
  if (value instanceof Long) return value.toBigInt();
  if (!(value instanceof Decimal128)) return undefined;
  const exact = exactDecimal(value);
  if (exact === undefined || exact.exponent > 20) return undefined;
  return exact.exponent >= 0
    ? exact.coefficient * 10n ** BigInt(exact.exponent)
    : exact.coefficient / 10n ** BigInt(-exact.exponent);
}

/** The bits that a $bits… operator looks at: of an integer in two's complement, or of binary data, first byte lowest. */
export function bitsOf(value: BsonValue | undefined): bigint | undefined {
  if (value instanceof Binary) {
    const bytes = Buffer.from(value.buffer.subarray(0, value.position)).reverse();
    return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
  }
  const whole = truncatedToInt64(value);
  return whole !== undefined && isWhole(value as NumericValue) ? whole : undefined;
}

function isWhole(value: NumericValue): boolean {
  const double = asExactDouble(value);
  if (double !== undefined) return Number.isInteger(double);
  if (!(value instanceof Decimal128)) return true;
  const exact = exactDecimal(value);
  if (exact === undefined) return false;
  return exact.exponent >= 0 || exact.coefficient % 10n ** BigInt(-exact.exponent) === 0n;
}

function hasBits(bits: bigint, mask: bigint, wanted: (Predicate & { kind: 'bits' })['wanted']): boolean {
  const set = bits & mask;
  switch (wanted) {
    case 'allSet':
      return set === mask;
    case 'allClear':
      return set === 0n;
    case 'anySet':
      return set !== 0n;
    case 'anyClear':
      return set !== mask;
  }
}
