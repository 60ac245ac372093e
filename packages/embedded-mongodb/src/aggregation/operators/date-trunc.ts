import { type BsonValue, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { isNullish, namedOperands, type Operators, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';
import { MONTHS_PER_UNIT, MONTHS_PER_YEAR, MS_PER_UNIT, unitOf } from './date-unit.ts';

/** MongoDB counts bins from the start of 2000; weeks from the first day of a week in it. */
const REFERENCE_YEAR = 2000;
const REFERENCE_MS = Date.UTC(REFERENCE_YEAR, 0, 1);
const SATURDAY = 6;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export const DATE_TRUNC_OPERATORS: Operators = { $dateTrunc: compileDateTrunc };

function compileDateTrunc(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['date', 'unit'], ['binSize', 'timezone', 'startOfWeek']);
  const zone = named.get('timezone');
  if (zone !== undefined && zone !== 'UTC') throw notImplemented(`a time zone in ${name}`);
  const date = recurse(named.get('date') as BsonValue);
  const unit = recurse(named.get('unit') as BsonValue);
  const binSize = named.has('binSize') ? recurse(named.get('binSize') as BsonValue) : undefined;
  const startOfWeek = recurse(named.get('startOfWeek') ?? 'sunday');
  return (scope) => {
    const [value, unitValue, size, day] = [date(scope), unit(scope), binSize?.(scope), startOfWeek(scope)];
    if (isNullish(value) || isNullish(unitValue) || (binSize !== undefined && isNullish(size))) return null;
    if (!(value instanceof Date)) {
      throw mongoError(
        5439012,
        `${name} requires 'date' to be convertible to a date, found ${typeName(value)}`,
      );
    }
    const unitName = unitOf(unitValue, name);
    const bin = binSize === undefined ? 1 : binSizeOf(size as BsonValue, name);
    const months = MONTHS_PER_UNIT[unitName];
    if (months !== undefined) return truncateMonths(value, months * bin);
    const reference = unitName === 'week' ? firstDayOfWeek(day, name) : REFERENCE_MS;
    return truncateMs(value, reference, (MS_PER_UNIT[unitName] as number) * bin);
  };
}

function binSizeOf(value: BsonValue, name: string): number {
  const size = isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (!Number.isSafeInteger(size))
    throw mongoError(5439017, `${name} requires 'binSize' to be a 64-bit integer`);
  if (size <= 0)
    throw mongoError(5439018, `${name} requires 'binSize' to be greater than 0, but got value ${size}`);
  return size;
}

function truncateMonths(date: Date, months: number): Date {
  const since = (date.getUTCFullYear() - REFERENCE_YEAR) * MONTHS_PER_YEAR + date.getUTCMonth();
  const start = Math.floor(since / months) * months;
  const truncated = new Date(0);
  truncated.setUTCFullYear(
    REFERENCE_YEAR + Math.floor(start / MONTHS_PER_YEAR),
    ((start % MONTHS_PER_YEAR) + MONTHS_PER_YEAR) % MONTHS_PER_YEAR,
    1,
  );
  return truncated;
}

function truncateMs(date: Date, reference: number, length: number): Date {
  return new Date(reference + Math.floor((date.getTime() - reference) / length) * length);
}

/** 2000-01-01 was a Saturday. */
function firstDayOfWeek(day: BsonValue | undefined, name: string): number {
  const weekday =
    typeof day === 'string' && day.length >= 3 ? DAYS.indexOf(day.toLowerCase().slice(0, 3)) : -1;
  if (weekday < 0)
    throw mongoError(
      'FailedToParse',
      `${name} parameter 'startOfWeek' value cannot be recognized as a day of a week: ${String(day)}`,
    );
  return REFERENCE_MS + ((weekday - SATURDAY + DAYS.length) % DAYS.length) * (MS_PER_UNIT['day'] as number);
}
