import { type BsonValue, Decimal128, Double, Timestamp } from '../../src/bson/document.ts';
import { isNullish } from './arithmetic.ts';
import { datePartsOf, formatDate, UTC } from './dates.ts';
import type { Evaluate, Parse } from './expression.ts';
import { exactly, fitsInt, intOrLong, isFiniteNumber, isNumber, truncate } from './numbers.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless, Undetermined } from './rejected.ts';

type Operator = (values: readonly Maybe[]) => BsonValue;

const OPERATORS: Record<string, readonly [number, Operator]> = {
  $toLower: [1, ([text]) => textOf(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase())],
  $toUpper: [1, ([text]) => textOf(text).replace(/[a-z]/g, (letter) => letter.toUpperCase())],
  $substrCP: [3, ([text, start, length]) => substring(text, start, length)],
  $strLenCP: [1, ([text]) => lengthOf(text)],
  $split: [2, ([text, separator]) => split(text, separator)],
};

export function parseStringOperator(name: string, operand: BsonValue, parse: Parse): Evaluate | undefined {
  const entry = OPERATORS[name];
  if (entry === undefined) return undefined;
  const [count, operator] = entry;
  const operands = (Array.isArray(operand) ? operand : [operand]).map(parse);
  rejectUnless(operands.length === count, `${name} takes ${count} arguments`);
  return (scope) => operator(operands.map((evaluate) => evaluate(scope)));
}

/** The value as string operators convert it. */
function textOf(value: Maybe): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return isoText(value);
  if (value instanceof Double || value instanceof Decimal128 || value instanceof Timestamp) {
    throw new Undetermined('the text of a number that is not whole');
  }
  if (isNumber(value)) return value.toString();
  throw new Rejected("can't convert to String", 16007);
}

function isoText(date: Date): string {
  const { year } = datePartsOf(date, UTC);
  if (year < 0 || year > 9999) throw new Undetermined('the text of a date outside of the years 0 to 9999');
  return formatDate(date, '%Y-%m-%dT%H:%M:%S.%LZ', UTC);
}

/** The integer part of a number, which must fit in an int. */
function intPart(value: Maybe): number {
  rejectUnless(isNumber(value), 'must be numeric');
  const exact = exactly(value);
  rejectUnless(isFiniteNumber(exact), 'must be representable as an int');
  const whole = truncate(exact);
  rejectUnless(fitsInt(whole), 'must be representable as an int');
  if (exact.exponent < 0 && value.toString().includes('.')) throw new Rejected('must be a whole number');
  return Number(whole);
}

function substring(value: Maybe, start: Maybe, length: Maybe): string {
  const points = [...textOf(value)];
  const from = intPart(start);
  const count = intPart(length);
  rejectUnless(from >= 0 && count >= 0, 'must not be negative');
  return points.slice(from, from + count).join('');
}

function lengthOf(text: Maybe): BsonValue {
  rejectUnless(typeof text === 'string', '$strLenCP requires a string', 34471);
  return intOrLong(BigInt([...text].length));
}

function split(text: Maybe, separator: Maybe): BsonValue {
  if (isNullish(text) || isNullish(separator)) return null;
  rejectUnless(typeof text === 'string', '$split requires a string as its first argument', 40085);
  rejectUnless(typeof separator === 'string', '$split requires a string as its second argument', 40086);
  rejectUnless(separator !== '', '$split requires a non-empty separator', 40087);
  return text.split(separator);
}
