import { Int32 } from 'bson';
import { type BsonValue, type Document, documentOf, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { isNullish, namedOperands, type Operators, type Recurse } from '../operator.ts';
import type { Evaluate, Scope } from '../scope.ts';
import { timeZoneOffsetMs } from '../time-zone.ts';

/** Parts with what they are by default; MongoDB lets all but the year carry over into the next greater one. */
const PARTS: readonly (readonly [name: string, fallback: number])[] = [
  ['year', Number.NaN],
  ['month', 1],
  ['day', 1],
  ['hour', 0],
  ['minute', 0],
  ['second', 0],
  ['millisecond', 0],
];
const PART_NAMES = PARTS.map(([name]) => name);
const MAX_PART = 32767;

export const DATE_PARTS_OPERATORS: Operators = {
  $dateFromParts: compileFromParts,
  $dateToParts: compileToParts,
};

function compileFromParts(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  if (isDocument(operand) && operand.has('isoWeekYear')) throw notImplemented(`${name} of ISO week parts`);
  const named = namedOperands(name, operand, ['year'], [...PART_NAMES.slice(1), 'timezone']);
  const parts = PARTS.map(([part, fallback]) => ({
    part,
    fallback,
    evaluate: named.has(part) ? recurse(named.get(part) as BsonValue) : undefined,
  }));
  const zone = recurse(named.get('timezone') ?? 'UTC');
  return (scope) => {
    const numbers: number[] = [];
    for (const { part, fallback, evaluate } of parts) {
      const value = evaluate?.(scope);
      if (evaluate !== undefined && isNullish(value)) return null;
      numbers.push(evaluate === undefined ? fallback : partOf(value as BsonValue, part));
    }
    const zoneName = zoneOf(zone, scope);
    return zoneName === undefined ? null : fromLocal(localTime(numbers), zoneName);
  };
}

function partOf(value: BsonValue, part: string): number {
  const number = isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (!Number.isInteger(number)) throw mongoError(40515, `'${part}' must evaluate to an integer`);
  if (part === 'year' && (number < 1 || number > 9999))
    throw mongoError(40523, `'year' must evaluate to an integer in the range 1 to 9999, found ${number}`);
  const isWide = part === 'second' || part === 'millisecond';
  if (!isWide && Math.abs(number) > MAX_PART)
    throw mongoError(31034, `'${part}' must evaluate to a value in the range [-32768, 32767]`);
  return number;
}

function localTime(parts: readonly number[]): number {
  const [year, month, day, hour, minute, second, millisecond] = parts as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second, millisecond);
}

function fromLocal(localMs: number, zone: string): Date {
  // The offset may be another there than at the same number in UTC: asked again at the time that came out.
  const guess = localMs - timeZoneOffsetMs(zone, new Date(localMs));
  return new Date(localMs - timeZoneOffsetMs(zone, new Date(guess)));
}

function zoneOf(zone: Evaluate, scope: Scope): string | undefined {
  const value = zone(scope);
  if (isNullish(value)) return undefined;
  if (typeof value !== 'string') throw mongoError(40517, 'timezone must evaluate to a string');
  return value;
}

function compileToParts(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['date'], ['timezone', 'iso8601']);
  if (named.has('iso8601') && named.get('iso8601') !== false)
    throw notImplemented(`${name} as ISO week parts`);
  const date = recurse(named.get('date') as BsonValue);
  const zone = recurse(named.get('timezone') ?? 'UTC');
  return (scope) => {
    const value = date(scope);
    const zoneName = zoneOf(zone, scope);
    if (isNullish(value) || zoneName === undefined) return null;
    if (!(value instanceof Date)) throw mongoError(16006, `can't convert to a date in ${name}`);
    return partsOf(new Date(value.getTime() + timeZoneOffsetMs(zoneName, value)));
  };
}

function partsOf(local: Date): Document {
  return documentOf({
    year: new Int32(local.getUTCFullYear()),
    month: new Int32(local.getUTCMonth() + 1),
    day: new Int32(local.getUTCDate()),
    hour: new Int32(local.getUTCHours()),
    minute: new Int32(local.getUTCMinutes()),
    second: new Int32(local.getUTCSeconds()),
    millisecond: new Int32(local.getUTCMilliseconds()),
  });
}
