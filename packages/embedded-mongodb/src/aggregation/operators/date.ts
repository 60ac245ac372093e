import { Int32, Long, ObjectId, Timestamp } from 'bson';
import { type BsonValue, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type CompileOperator, isNullish, namedOperands, type Operators, type Recurse } from '../operator.ts';
import type { Evaluate, Scope } from '../scope.ts';
import { timeZoneOffsetMs } from '../time-zone.ts';

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const DAYS_PER_WEEK = 7;
const THURSDAY = 4;

/** The parts of a date. Each reads a Date that was moved by the time zone, so that its UTC parts are the zone's. */
const PARTS = {
  $year: (date) => date.getUTCFullYear(),
  $month: (date) => date.getUTCMonth() + 1,
  $dayOfMonth: (date) => date.getUTCDate(),
  $hour: (date) => date.getUTCHours(),
  $minute: (date) => date.getUTCMinutes(),
  $second: (date) => date.getUTCSeconds(),
  $millisecond: (date) => date.getUTCMilliseconds(),
  $dayOfYear: dayOfYear,
  $dayOfWeek: (date) => date.getUTCDay() + 1,
  $isoDayOfWeek: isoDayOfWeek,
  $isoWeek: isoWeek,
  $isoWeekYear: (date) => thursdayOf(date).getUTCFullYear(),
  // Weeks begin on Sundays; the days before the first of them are week 0.
  $week: (date) => Math.floor((dayOfYear(date) - 1 + DAYS_PER_WEEK - date.getUTCDay()) / DAYS_PER_WEEK),
} as const satisfies Readonly<Record<string, (date: Date) => number>>;

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / MS_PER_DAY) + 1;
}

function isoDayOfWeek(date: Date): number {
  return date.getUTCDay() || DAYS_PER_WEEK;
}

/** An ISO week belongs to the year that its Thursday is in. */
function thursdayOf(date: Date): Date {
  return new Date(date.getTime() + (THURSDAY - isoDayOfWeek(date)) * MS_PER_DAY);
}

function isoWeek(date: Date): number {
  return Math.floor((dayOfYear(thursdayOf(date)) - 1) / DAYS_PER_WEEK) + 1;
}

export const DATE_OPERATORS: Operators = {
  ...Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, datePart(part)])),
  // MongoDB answers these two as int64.
  $isoWeekYear: datePart(PARTS.$isoWeekYear, (value) => Long.fromNumber(value)),
  $dateToString: compileDateToString,
};

function datePart(
  part: (date: Date) => number,
  wrap: (value: number) => BsonValue = (value) => new Int32(value),
): CompileOperator {
  return (operand, recurse, name) => {
    const read = compileZonedDate(operand, recurse, name);
    return (scope) => {
      const date = read(scope);
      return date === undefined ? null : wrap(part(date.local));
    };
  };
}

/** A date with the time zone it is read in. */
interface ZonedDate {
  /** Moved by the offset, so that its UTC parts are the zone's. */
  local: Date;
  offsetMinutes: number;
}

/** The date an operator is about; undefined where it or its time zone is null. */
function compileZonedDate(
  operand: BsonValue,
  recurse: Recurse,
  name: string,
): (scope: Scope) => ZonedDate | undefined {
  const isNamed = isDocument(operand) && !operand.keys().next().value?.startsWith('$');
  const named = isNamed ? namedOperands(name, operand, ['date'], ['timezone']) : undefined;
  const single = Array.isArray(operand) && operand.length === 1 ? (operand[0] as BsonValue) : operand;
  const date = recurse(named?.get('date') ?? single);
  const zone = named?.has('timezone') ? recurse(named.get('timezone') as BsonValue) : undefined;
  return (scope) => zonedDate(date(scope), zone === undefined ? 'UTC' : zone(scope), name);
}

function zonedDate(
  value: BsonValue | undefined,
  zone: BsonValue | undefined,
  name: string,
): ZonedDate | undefined {
  if (isNullish(value) || isNullish(zone)) return undefined;
  if (typeof zone !== 'string') {
    throw mongoError(40517, `timezone must evaluate to a string, found ${typeName(zone)}`);
  }
  const date = dateOf(value, name);
  const offsetMs = timeZoneOffsetMs(zone, date);
  return { local: new Date(date.getTime() + offsetMs), offsetMinutes: Math.trunc(offsetMs / MS_PER_MINUTE) };
}

function dateOf(value: BsonValue, name: string): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  throw mongoError(16006, `can't convert from BSON type ${typeName(value)} to Date in ${name}`);
}

const DEFAULT_FORMAT = '%Y-%m-%dT%H:%M:%S.%LZ';
const pad = (value: number, width: number) => String(value).padStart(width, '0');

const SPECIFIERS: Readonly<Record<string, (date: Date, offsetMinutes: number) => string>> = {
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1, 2),
  d: (date) => pad(date.getUTCDate(), 2),
  H: (date) => pad(date.getUTCHours(), 2),
  M: (date) => pad(date.getUTCMinutes(), 2),
  S: (date) => pad(date.getUTCSeconds(), 2),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  j: (date) => pad(dayOfYear(date), 3),
  w: (date) => String(date.getUTCDay() + 1),
  u: (date) => String(isoDayOfWeek(date)),
  U: (date) => pad(PARTS.$week(date), 2),
  V: (date) => pad(isoWeek(date), 2),
  G: (date) => pad(PARTS.$isoWeekYear(date), 4),
  Z: (_date, offsetMinutes) => signed(offsetMinutes, (minutes) => pad(minutes, 3)),
  z: (_date, offsetMinutes) =>
    signed(offsetMinutes, (minutes) => pad(Math.floor(minutes / 60), 2) + pad(minutes % 60, 2)),
  '%': () => '%',
};

function signed(minutes: number, write: (magnitude: number) => string): string {
  return (minutes < 0 ? '-' : '+') + write(Math.abs(minutes));
}

function compileDateToString(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['date'], ['format', 'timezone', 'onNull']);
  const date = recurse(named.get('date') as BsonValue);
  const format = recurse(named.get('format') ?? DEFAULT_FORMAT);
  const zone = recurse(named.get('timezone') ?? 'UTC');
  const onNull = recurse(named.get('onNull') ?? null);
  return (scope) => {
    const formatText = format(scope);
    const zoned = zonedDate(date(scope), zone(scope), name);
    if (zoned === undefined) return onNull(scope);
    if (isNullish(formatText)) return null;
    if (typeof formatText !== 'string')
      throw mongoError(18533, "$dateToString requires that 'format' be a string");
    return formatDate(zoned, formatText);
  };
}

function formatDate({ local, offsetMinutes }: ZonedDate, format: string): string {
  return format.replace(/%([\s\S]?)/g, (_match, specifier: string) => {
    const write = Object.hasOwn(SPECIFIERS, specifier) ? SPECIFIERS[specifier] : undefined;
    if (write === undefined)
      throw mongoError(18536, `Invalid format character '%${specifier}' in format string`);
    return write(local, offsetMinutes);
  });
}
