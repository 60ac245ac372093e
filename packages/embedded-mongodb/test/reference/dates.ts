import { Rejected, rejectUnless, Undetermined } from './rejected.ts';

const MS = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
export type Unit = (typeof UNITS)[number];
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The limit of JavaScript dates. The range of MongoDB's dates is wider. */
const MAX_DATE = 8.64e15;

export function parseUnit(text: unknown): Unit {
  rejectUnless(UNITS.includes(text as Unit), 'unknown time unit value');
  return text as Unit;
}

/** 0 is Sunday. */
export function parseDayOfWeek(text: unknown): number {
  rejectUnless(typeof text === 'string', 'startOfWeek must be a string');
  const lower = text.toLowerCase();
  const day = DAYS.findIndex((name) => name === lower || name.slice(0, 3) === lower);
  rejectUnless(day >= 0, 'unknown day of week value', 9);
  return day;
}

const OFFSET = /^([+-])(\d\d):?(\d\d)?$/;
const formatters = new Map<string, Intl.DateTimeFormat>();
const knownOffsets = new Map<string, number>();

/** A time zone: how far local time is ahead of UTC at a given time, in milliseconds. */
export interface Zone {
  offsetAt(time: number): number;
}

export const UTC: Zone = { offsetAt: () => 0 };

export function parseZone(name: unknown): Zone {
  rejectUnless(typeof name === 'string', 'timezone must evaluate to a string', 40517);
  const fixed = OFFSET.exec(name);
  if (fixed !== null) {
    const offset = (Number(fixed[2]) * 60 + Number(fixed[3] ?? 0)) * MS.minute;
    return { offsetAt: () => (fixed[1] === '-' ? -offset : offset) };
  }
  if (!formatters.has(name)) formatters.set(name, formatterFor(name));
  return { offsetAt: (time) => offsetOf(name, time) };
}

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  try {
    const numeric = 'numeric';
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      era: 'short',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
      hourCycle: 'h23',
    });
  } catch {
    throw new Rejected('unrecognized time zone identifier', 40485);
  }
}

function offsetOf(name: string, time: number): number {
  const seconds = Math.floor(time / 1000);
  const key = `${name} ${seconds}`;
  const known = knownOffsets.get(key);
  if (known !== undefined) return known;
  const parts: Record<string, string> = {};
  for (const { type, value } of formatters.get(name)?.formatToParts(seconds * 1000) ?? [])
    parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = utc(year, Number(parts.month) - 1, Number(parts.day));
  const clock = (Number(parts.hour) * 60 + Number(parts.minute)) * 60 + Number(parts.second);
  const offset = local + clock * 1000 - seconds * 1000;
  knownOffsets.set(key, offset);
  return offset;
}

/** Midnight of a day, unlike `Date.UTC` also in the first century. Months count from 0 and may be out of range. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

/** The time at which the zone has the given local time. Undetermined in MongoDB at a change of the UTC offset. */
function momentOf(local: number, zone: Zone): number {
  const offsets = new Set([zone.offsetAt(local - MS.day), zone.offsetAt(local + MS.day)]);
  const moments = [...offsets]
    .map((offset) => local - offset)
    .filter((time) => time + zone.offsetAt(time) === local);
  if (moments.length !== 1) throw new Undetermined('a local time at a change of the clocks');
  return moments[0] as number;
}

const localDate = (time: number, zone: Zone): Date => new Date(time + zone.offsetAt(time));

function checked(time: number): Date {
  if (Math.abs(time) > MAX_DATE || Number.isNaN(time))
    throw new Undetermined('a date that JavaScript has not');
  return new Date(time);
}

const MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };

/** Days and longer units keep the local time of day. A day beyond the end of a month becomes its last day. */
export function addToDate(date: Date, unit: Unit, amount: number, zone: Zone): Date {
  const time = date.getTime();
  const months = MONTHS[unit];
  if (months === undefined && unit !== 'day' && unit !== 'week') {
    return checked(time + amount * MS[unit as keyof typeof MS]);
  }
  const local = localDate(time, zone);
  if (months === undefined) {
    const later = checked(local.getTime() + amount * (unit === 'week' ? 7 : 1) * MS.day);
    return checked(momentOf(later.getTime(), zone));
  }
  const month = local.getUTCMonth() + amount * months;
  const lastDay = new Date(utc(local.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(local.getUTCDate(), lastDay);
  const clock = local.getTime() - Math.floor(local.getTime() / MS.day) * MS.day;
  return checked(momentOf(checked(utc(local.getUTCFullYear(), month, day) + clock).getTime(), zone));
}

const daysSince1970 = (local: Date): number => Math.floor(local.getTime() / MS.day);
const monthsSince0 = (local: Date): number => local.getUTCFullYear() * 12 + local.getUTCMonth();

/** The sequential number of the unit that contains the local time. */
function unitNumber(local: Date, unit: Unit, startOfWeek: number): number {
  const months = MONTHS[unit];
  if (months !== undefined) return Math.floor(monthsSince0(local) / months);
  // 1970-01-01 is a Thursday.
  if (unit === 'week') return Math.floor((daysSince1970(local) + 4 - startOfWeek) / 7);
  return Math.floor(local.getTime() / MS[unit as keyof typeof MS]);
}

/** The number of unit boundaries between the dates. */
export function dateDifference(start: Date, end: Date, unit: Unit, zone: Zone, startOfWeek: number): number {
  if (unit === 'millisecond') return end.getTime() - start.getTime();
  const from = localDate(start.getTime(), zone);
  const to = localDate(end.getTime(), zone);
  const units = unitNumber(to, unit, startOfWeek) - unitNumber(from, unit, startOfWeek);
  if (unit !== 'hour' && unit !== 'minute' && unit !== 'second') return units;
  // A change of the UTC offset is not elapsed time.
  const change = zone.offsetAt(start.getTime()) - zone.offsetAt(end.getTime());
  return units + Math.trunc(change / MS[unit]);
}

/** The start of the bin. Bins count from 2000-01-01 in the zone, bins of weeks from the first full week. */
export function truncateDate(date: Date, unit: Unit, binSize: number, zone: Zone, startOfWeek: number): Date {
  const start2000 = utc(2000, 0, 1);
  const months = MONTHS[unit];
  const local = localDate(date.getTime(), zone);
  const toBin = (distance: number) => Math.floor(distance / binSize) * binSize;
  if (months !== undefined) {
    const bin = toBin(unitNumber(local, unit, 0) - (2000 * 12) / months);
    return checked(momentOf(utc(2000, bin * months, 1), zone));
  }
  if (unit === 'day' || unit === 'week') {
    // 2000-01-01 is a Saturday.
    const shift = unit === 'week' ? (startOfWeek - 6 + 7) % 7 : 0;
    const reference = new Date(start2000 + shift * MS.day);
    const distance = unitNumber(local, unit, startOfWeek) - unitNumber(reference, unit, startOfWeek);
    const days = toBin(distance) * (unit === 'week' ? 7 : 1);
    return checked(momentOf(reference.getTime() + days * MS.day, zone));
  }
  const reference = start2000 - zone.offsetAt(start2000);
  const size = binSize * MS[unit as keyof typeof MS];
  return checked(reference + Math.floor((date.getTime() - reference) / size) * size);
}

export interface DateParts {
  year: number;
  month: number;
  dayOfMonth: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  /** 1 is Sunday. */
  dayOfWeek: number;
  dayOfYear: number;
}

export function datePartsOf(date: Date, zone: Zone): DateParts {
  const local = localDate(date.getTime(), zone);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    dayOfMonth: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
    dayOfWeek: local.getUTCDay() + 1,
    dayOfYear: (daysSince1970(local) * MS.day - utc(local.getUTCFullYear(), 0, 1)) / MS.day + 1,
  };
}

/** The ISO 8601 week, which belongs to the year of its Thursday. */
function isoWeekOf(date: Date, zone: Zone): { year: number; week: number; day: number } {
  const local = localDate(date.getTime(), zone);
  const day = local.getUTCDay() === 0 ? 7 : local.getUTCDay();
  const thursday = new Date(local.getTime() + (4 - day) * MS.day);
  const yearStart = utc(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - yearStart) / (7 * MS.day)) + 1;
  return { year: thursday.getUTCFullYear(), week, day };
}

function pad(number: number, width: number): string {
  rejectUnless(number >= 0 && number <= 9999, 'date component outside the supported range of 0-9999', 18537);
  return String(number).padStart(width, '0');
}

/** Rejects a format that `$dateToString` does not support, regardless of the date. */
export function assertDateFormat(format: string): void {
  const rest = format.replace(/%[dGHjLmMSuUVYzZ%]/g, '');
  rejectUnless(!rest.includes('%'), 'invalid format string');
}

export function formatDate(date: Date, format: string, zone: Zone): string {
  const parts = datePartsOf(date, zone);
  const minutes = Math.trunc(zone.offsetAt(date.getTime()) / MS.minute);
  const hhmm = pad(Math.trunc(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60), 4);
  const specifiers: Record<string, () => string> = {
    d: () => pad(parts.dayOfMonth, 2),
    G: () => pad(isoWeekOf(date, zone).year, 4),
    H: () => pad(parts.hour, 2),
    j: () => pad(parts.dayOfYear, 3),
    L: () => pad(parts.millisecond, 3),
    m: () => pad(parts.month, 2),
    M: () => pad(parts.minute, 2),
    S: () => pad(parts.second, 2),
    u: () => String(isoWeekOf(date, zone).day),
    U: () => pad(Math.floor((parts.dayOfYear - parts.dayOfWeek + 7) / 7), 2),
    V: () => pad(isoWeekOf(date, zone).week, 2),
    Y: () => pad(parts.year, 4),
    z: () => (minutes < 0 ? '-' : '+') + hhmm,
    Z: () => String(minutes),
    '%': () => '%',
  };
  return format.replace(/%(.)/g, (_, name: string) => specifiers[name]?.() ?? '');
}
