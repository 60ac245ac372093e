import { BSONSymbol, Code, Double, Int32, Long, Timestamp } from 'bson';
import { type BsonValue, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { compareStrings } from '../../semantics/compare.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { type CompileOperator, isNullish, namedOperands, type Operators, onArguments } from '../operator.ts';

type Values = (BsonValue | undefined)[];
const ANY_NUMBER: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

export const STRING_OPERATORS: Operators = {
  $concat: onArguments(ANY_NUMBER, (values) => {
    if (values.some(isNullish)) return null;
    return values.map((value) => textOf(value, 16702, '$concat')).join('');
  }),
  // Of ASCII letters only, as MongoDB's.
  $toLower: onArguments(1, ([value]) =>
    coercedText(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  $toUpper: onArguments(1, ([value]) =>
    coercedText(value).replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  ),
  $strcasecmp: onArguments(2, ([a, b]) => {
    const fold = (value: BsonValue | undefined) =>
      coercedText(value).replace(/[a-z]/g, (letter) => letter.toUpperCase());
    return new Int32(Math.sign(compareStrings(fold(a), fold(b))));
  }),
  $strLenCP: onArguments(1, ([value]) => new Int32([...textOf(value, 34471, '$strLenCP')].length)),
  $strLenBytes: onArguments(
    1,
    ([value]) => new Int32(Buffer.byteLength(textOf(value, 34473, '$strLenBytes'))),
  ),
  $substrCP: onArguments(3, substringOfCodePoints),
  $substrBytes: onArguments(3, substringOfBytes),
  $substr: onArguments(3, substringOfBytes),
  $indexOfCP: onArguments([2, 4], indexOfCodePoint),
  $indexOfBytes: onArguments([2, 4], indexOfBytes),
  $split: onArguments(2, split),
  $trim: trimming({ start: true, end: true }),
  $ltrim: trimming({ start: true, end: false }),
  $rtrim: trimming({ start: false, end: true }),
};

function nameOf(value: BsonValue | undefined): string {
  return value === undefined ? 'missing' : typeName(value);
}

function textOf(value: BsonValue | undefined, code: number, name: string): string {
  if (typeof value === 'string') return value;
  throw mongoError(code, `${name} only supports strings, not ${nameOf(value)}`);
}

/** How MongoDB reads other types as text in the older string operators: null is empty. */
function coercedText(value: BsonValue | undefined): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return value;
  if (value instanceof BSONSymbol) return value.value;
  if (value instanceof Int32) return String(value.value);
  if (value instanceof Timestamp || value instanceof Code || value instanceof Double) {
    throw notImplemented(`a ${typeName(value)} as text`);
  }
  if (value instanceof Long) return value.toString();
  if (value instanceof Date) return value.toISOString();
  throw mongoError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function indexOf(value: BsonValue | undefined, code: number, name: string): number {
  const number = value !== undefined && isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (!Number.isInteger(number))
    throw mongoError(code, `${name} needs a whole number, found: ${nameOf(value)}`);
  return number;
}

function substringOfCodePoints([value, startValue, lengthValue]: Values): BsonValue {
  const points = [...coercedText(value)];
  const start = indexOf(startValue, 34450, '$substrCP');
  const length = indexOf(lengthValue, 34452, '$substrCP');
  if (start < 0) throw mongoError(34455, `$substrCP: the starting index must be non-negative`);
  if (length < 0) throw mongoError(34454, `$substrCP: length must be a nonnegative integer.`);
  return points.slice(start, start + length).join('');
}

const IS_CONTINUATION = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function substringOfBytes([value, startValue, lengthValue]: Values): BsonValue {
  const bytes = Buffer.from(coercedText(value));
  const start = indexOf(startValue, 16034, '$substrBytes');
  const length = indexOf(lengthValue, 16035, '$substrBytes');
  if (start < 0) throw mongoError(50752, '$substrBytes: starting index must be non-negative');
  const end = length < 0 ? bytes.length : Math.min(start + length, bytes.length);
  if (IS_CONTINUATION(bytes[start]))
    throw mongoError(28656, '$substrBytes: Invalid range, starting index is a UTF-8 continuation byte.');
  if (IS_CONTINUATION(bytes[end]))
    throw mongoError(
      28657,
      '$substrBytes: Invalid range, ending index is in the middle of a UTF-8 character.',
    );
  return bytes.subarray(start, end).toString('utf8');
}

function indexOfCodePoint([value, wanted, startValue, endValue]: Values): BsonValue {
  if (isNullish(value)) return null;
  const points = [...textOf(value, 40093, '$indexOfCP')];
  const needle = [...textOf(wanted, 40094, '$indexOfCP')];
  const start = startValue === undefined ? 0 : indexOf(startValue, 40096, '$indexOfCP');
  const end =
    endValue === undefined ? points.length : Math.min(indexOf(endValue, 40096, '$indexOfCP'), points.length);
  if (start < 0 || end < 0) throw mongoError(40097, '$indexOfCP requires nonnegative bounds');
  for (let at = start; at + needle.length <= end; at++) {
    if (needle.every((point, offset) => points[at + offset] === point)) return new Int32(at);
  }
  return new Int32(-1);
}

function indexOfBytes([value, wanted, startValue, endValue]: Values): BsonValue {
  if (isNullish(value)) return null;
  const bytes = Buffer.from(textOf(value, 40091, '$indexOfBytes'));
  const needle = Buffer.from(textOf(wanted, 40092, '$indexOfBytes'));
  const start = startValue === undefined ? 0 : indexOf(startValue, 40096, '$indexOfBytes');
  const end =
    endValue === undefined ? bytes.length : Math.min(indexOf(endValue, 40096, '$indexOfBytes'), bytes.length);
  if (start < 0 || end < 0) throw mongoError(40097, '$indexOfBytes requires nonnegative bounds');
  if (start > end) return new Int32(-1);
  const found = bytes.subarray(start, end).indexOf(needle);
  return new Int32(found < 0 ? -1 : start + found);
}

function split([value, separator]: Values): BsonValue {
  if (isNullish(value) || isNullish(separator)) return null;
  const text = textOf(value, 40085, '$split');
  const by = textOf(separator, 40086, '$split');
  if (by === '') throw mongoError(40087, '$split requires a non-empty separator');
  return text.split(by);
}

/** What MongoDB trims where no characters are given. */
const WHITESPACE = [
  '\0',
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  ' ',
  '\u00a0',
  '\u1680',
  ...Array.from({ length: 11 }, (_, index) => String.fromCodePoint(0x2000 + index)),
];

function trimming(ends: { start: boolean; end: boolean }): CompileOperator {
  return (operand, recurse, name) => {
    const named = namedOperands(name, operand, ['input'], ['chars']);
    const input = recurse(named.get('input') as BsonValue);
    const chars = named.has('chars') ? recurse(named.get('chars') as BsonValue) : undefined;
    return (scope) => {
      const text = input(scope);
      const given = chars?.(scope);
      if (isNullish(text) || (chars !== undefined && isNullish(given))) return null;
      const trimmed = chars === undefined ? WHITESPACE : [...textOf(given, 50700, name)];
      return trim([...textOf(text, 50699, name)], new Set(trimmed), ends);
    };
  };
}

function trim(
  points: string[],
  trimmed: ReadonlySet<string>,
  ends: { start: boolean; end: boolean },
): string {
  let start = 0;
  let end = points.length;
  while (ends.start && start < end && trimmed.has(points[start] as string)) start += 1;
  while (ends.end && end > start && trimmed.has(points[end - 1] as string)) end -= 1;
  return points.slice(start, end).join('');
}
