import { Decimal128, Double, Int32, Long, Timestamp } from 'bson';
import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { requireSteps, spendSteps } from '../../computation-limit.ts';
import { MAX_BSON_OBJECT_BYTES } from '../../wire/limits.ts';
import {
  integerOf,
  isNullish,
  type Operators,
  onArguments,
  typeOf,
  untilNull,
  type Values,
} from '../operator.ts';
import { formatDate } from './date-to-string.ts';

export const STRING_OPERATORS: Operators = {
  $concat: untilNull((value, name) => textOf(value, 16702, name), concatenated),
  // Only ASCII letters change, as in MongoDB.
  $toLower: onArguments(1, ([value]) =>
    coercedText(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  ),
  $toUpper: onArguments(1, ([value]) =>
    coercedText(value).replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  ),
  $strLenCP: onArguments(1, ([value], name) => new Int32(lengthInCodePoints(textOf(value, 34471, name)))),
  $substrCP: onArguments(3, substringOfCodePoints),
  $split: onArguments(2, split),
};

const CHARACTERS_PER_STEP = 16;
const PIECES_PER_STEP = 2;

function textOf(value: BsonValue | undefined, code: number, name: string): string {
  if (typeof value === 'string') return charged(value);
  throw mongoError(code, `${name} only supports strings, not ${typeOf(value)}`);
}

function charged(text: string): string {
  spendSteps(text.length / CHARACTERS_PER_STEP);
  return text;
}

/** How MongoDB converts other types in the older string operators: null becomes the empty string. */
function coercedText(value: BsonValue | undefined): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return charged(value);
  if (value instanceof Date) return formatDate({ local: value, offsetMs: 0 });
  if (value instanceof Timestamp || value instanceof Double) throw outOfScope(`a ${typeName(value)} as text`);
  if (value instanceof Int32 || value instanceof Long || value instanceof Decimal128) return value.toString();
  throw mongoError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

/** Limited to the size of a document: a longer string can be neither stored nor returned. */
function concatenated(texts: string[]): string {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_BSON_OBJECT_BYTES)
    throw mongoError('BSONObjectTooLarge', `$concat builds a text of ${length} characters.`);
  spendSteps(length / CHARACTERS_PER_STEP);
  return texts.join('');
}

/** A code point above U+FFFF takes two UTF-16 units but counts once. */
function lengthInCodePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function substringOfCodePoints([value, startValue, lengthValue]: Values, name: string): BsonValue {
  const text = coercedText(value);
  const start = integerOf(startValue, 32, name, 34450, 34451);
  const length = integerOf(lengthValue, 32, name, 34452, 34453);
  if (length < 0) throw mongoError(34454, `${name}: length must be a nonnegative integer.`);
  if (start < 0) throw mongoError(34455, `${name}: the starting index must be a nonnegative integer.`);
  // A code point takes one or two UTF-16 units.
  return [...text.slice(0, (start + length) * 2)].slice(start, start + length).join('');
}

function split([value, separator]: Values, name: string): BsonValue {
  if (isNullish(value) || isNullish(separator)) return null;
  const text = textOf(value, 40085, name);
  const by = textOf(separator, 40086, name);
  if (by === '') throw mongoError(40087, `${name} requires a non-empty separator`);
  requireSteps(text.length / by.length / PIECES_PER_STEP);
  const pieces = text.split(by);
  spendSteps(pieces.length / PIECES_PER_STEP);
  return pieces;
}
