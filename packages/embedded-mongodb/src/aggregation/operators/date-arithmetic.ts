import { Long } from 'bson';
import { type BsonValue, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { isNullish, namedOperands, type Operators, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';
import { MONTHS_PER_UNIT, MONTHS_PER_YEAR, MS_PER_UNIT, unitOf } from './date-unit.ts';

const MAX_DATE_MS = 8.64e15;
/** 1970-01-01 was a Thursday: so many days after the Sunday that began its week. */
const EPOCH_DAY_OF_WEEK = 4;

/** In UTC: with a time zone the length of a day would depend on its history, and is refused. */
export const DATE_ARITHMETIC_OPERATORS: Operators = {
  $dateAdd: (operand, recurse, name) => compileShift(operand, recurse, name, 1),
  $dateSubtract: (operand, recurse, name) => compileShift(operand, recurse, name, -1),
  $dateDiff: compileDifference,
};

function compileShift(operand: BsonValue, recurse: Recurse, name: string, sign: 1 | -1): Evaluate {
  const named = namedOperands(name, operand, ['startDate', 'unit', 'amount'], ['timezone']);
  refuseTimezone(named, name);
  const [startDate, unit, amount] = ['startDate', 'unit', 'amount'].map((key) =>
    recurse(named.get(key) as BsonValue),
  );
  return (scope) => {
    const values = [startDate, unit, amount].map((evaluate) => evaluate?.(scope));
    if (values.some(isNullish)) return null;
    const [start, unitName, count] = values as [BsonValue, BsonValue, BsonValue];
    return shiftDate(dateOf(start, name), unitOf(unitName, name), sign * wholeOf(count, name), name);
  };
}

function refuseTimezone(named: ReadonlyMap<string, BsonValue>, name: string): void {
  const zone = named.get('timezone');
  if (zone !== undefined && zone !== 'UTC') throw notImplemented(`a time zone in ${name}`);
}

function dateOf(value: BsonValue, name: string): Date {
  if (value instanceof Date) return value;
  throw mongoError(
    5166403,
    `${name} requires startDate to be convertible to a date, found ${typeName(value)}`,
  );
}

function wholeOf(value: BsonValue, name: string): number {
  const number = isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (!Number.isSafeInteger(number))
    throw mongoError(5166405, `${name} expects integer amount of time units`);
  return number;
}

/** The date so many units later; a day that its month has not becomes the last one. */
export function shiftDate(start: Date, unit: string, amount: number, name: string): Date {
  const months = MONTHS_PER_UNIT[unit];
  const shifted =
    months === undefined
      ? start.getTime() + amount * (MS_PER_UNIT[unit] as number)
      : addMonths(start, amount * months);
  if (!(Math.abs(shifted) <= MAX_DATE_MS)) throw mongoError(5166406, `${name} overflowed`);
  return new Date(shifted);
}

/** A day that the month does not have becomes its last: a month after January 31st is the end of February. */
function addMonths(start: Date, months: number): number {
  const month = start.getUTCFullYear() * MONTHS_PER_YEAR + start.getUTCMonth() + months;
  const shifted = new Date(start);
  shifted.setUTCFullYear(
    Math.floor(month / MONTHS_PER_YEAR),
    ((month % MONTHS_PER_YEAR) + MONTHS_PER_YEAR) % MONTHS_PER_YEAR,
    1,
  );
  const lastDay = new Date(shifted);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  shifted.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return shifted.getTime();
}

function compileDifference(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['startDate', 'endDate', 'unit'], ['timezone', 'startOfWeek']);
  refuseTimezone(named, name);
  if (named.has('startOfWeek')) throw notImplemented(`'startOfWeek' in ${name}`);
  const [startDate, endDate, unit] = ['startDate', 'endDate', 'unit'].map((key) =>
    recurse(named.get(key) as BsonValue),
  );
  return (scope) => {
    const values = [startDate, endDate, unit].map((evaluate) => evaluate?.(scope));
    if (values.some(isNullish)) return null;
    const [start, end, unitName] = values as [BsonValue, BsonValue, BsonValue];
    const count = unitCounter(unitOf(unitName, name));
    return Long.fromNumber(count(dateOf(end, name)) - count(dateOf(start, name)));
  };
}

/** Numbers the units from some point on: a difference is how many of their boundaries lie between. */
function unitCounter(unit: string): (date: Date) => number {
  const months = MONTHS_PER_UNIT[unit];
  if (months !== undefined) {
    return (date) => Math.floor((date.getUTCFullYear() * MONTHS_PER_YEAR + date.getUTCMonth()) / months);
  }
  const length = MS_PER_UNIT[unit] as number;
  const offset = unit === 'week' ? EPOCH_DAY_OF_WEEK * (MS_PER_UNIT['day'] as number) : 0;
  return (date) => Math.floor((date.getTime() + offset) / length);
}
