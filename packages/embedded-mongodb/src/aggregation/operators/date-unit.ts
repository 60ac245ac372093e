import type { BsonValue } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { dateAt } from '../zoned-date.ts';

const MS_PER_DAY = 86_400_000;
const MS_PER_WEEK = 7 * MS_PER_DAY;
const MONTHS_PER_YEAR = 12;

/** A unit of time: a number of months, or a fixed number of milliseconds. */
export type Unit =
  | { readonly months: number }
  /** `origin` is the start of one of the units. */
  | { readonly ms: number; readonly origin: number };

const UNITS: Readonly<Record<string, Unit>> = {
  year: { months: 12 },
  quarter: { months: 3 },
  month: { months: 1 },
  day: { ms: MS_PER_DAY, origin: 0 },
  hour: { ms: 3_600_000, origin: 0 },
  minute: { ms: 60_000, origin: 0 },
  second: { ms: 1000, origin: 0 },
  millisecond: { ms: 1, origin: 0 },
};

/** The unit with the given name. A week begins on Sunday unless `startOfWeek` names another day. */
export function unitOf(
  value: BsonValue | undefined,
  name: string,
  notString: number,
  startOfWeek: BsonValue = 'sunday',
): Unit {
  if (typeof value !== 'string') throw mongoError(notString, `${name} requires 'unit' to be a string`);
  if (value === 'week') return weekFrom(startOfWeek, name);
  const unit = Object.hasOwn(UNITS, value) ? UNITS[value] : undefined;
  if (unit === undefined) throw mongoError('FailedToParse', `${name}: unknown time unit value: ${value}`);
  return unit;
}

/** 1970-01-01 was a Thursday. */
const WEEKDAYS = ['thursday', 'friday', 'saturday', 'sunday', 'monday', 'tuesday', 'wednesday'];

function weekFrom(startOfWeek: BsonValue, name: string): Unit {
  if (typeof startOfWeek !== 'string')
    throw mongoError(5439015, `${name} requires 'startOfWeek' to be a string`);
  const day = startOfWeek.toLowerCase();
  const days = WEEKDAYS.findIndex((weekday) => day === weekday || day === weekday.slice(0, 3));
  if (days < 0) throw mongoError(5439016, `${name}: 'startOfWeek' is not a day of a week: ${startOfWeek}`);
  return { ms: MS_PER_WEEK, origin: days * MS_PER_DAY };
}

/** Whether the unit starts at a local time of the time zone, as days and longer units do. */
export function followsClocks(unit: Unit): boolean {
  return 'months' in unit || unit.ms >= MS_PER_DAY;
}

/** The sequential number of the unit that contains the date. */
export function unitNumber(local: Date, unit: Unit): number {
  if ('ms' in unit) return Math.floor((local.getTime() - unit.origin) / unit.ms);
  return Math.floor((local.getUTCFullYear() * MONTHS_PER_YEAR + local.getUTCMonth()) / unit.months);
}

/** The start of the unit with the given number. */
export function unitStart(number: number, unit: Unit): Date {
  if ('ms' in unit) return dateAt(number * unit.ms + unit.origin);
  return dateAt(new Date(0).setUTCFullYear(0, number * unit.months, 1));
}

/** The date plus `amount` units. */
export function addUnits(local: Date, amount: number, unit: Unit): Date {
  if ('ms' in unit) return dateAt(local.getTime() + amount * unit.ms);
  const month = new Date(local);
  month.setUTCMonth(month.getUTCMonth() + amount * unit.months, 1);
  const lastDay = new Date(month);
  lastDay.setUTCMonth(month.getUTCMonth() + 1, 0);
  // A day beyond the end of the month becomes its last day: January 31 plus a month is the end of February.
  return dateAt(month.setUTCDate(Math.min(local.getUTCDate(), lastDay.getUTCDate())));
}
