import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { isNullish, type Operators, operandOr, operandsByName, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';
import { dateOf, inZone, type ZonedDate, zoneOf } from '../zoned-date.ts';
import { dayOfYear, isoDayOfWeek, isoWeek, isoYear, weekOfYear } from './calendar.ts';

export const DATE_TO_STRING_OPERATORS: Operators = { $dateToString: compileDateToString };

const dateToStringOperands = operandsByName(
  { notDocument: 18629, unknown: 18534 },
  ['date', 18628],
  ['format'],
  ['timezone'],
  ['onNull'],
);

/** In MongoDB 7.0, the default format ends in `Z` in all time zones. */
const DEFAULT_FORMAT = '%Y-%m-%dT%H:%M:%S.%LZ';

function compileDateToString(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = dateToStringOperands(operand, name);
  const date = recurse(named.get('date') as BsonValue);
  const format = recurse(operandOr(named, 'format', DEFAULT_FORMAT));
  const timezone = recurse(operandOr(named, 'timezone', 'UTC'));
  const onNull = recurse(operandOr(named, 'onNull', null));
  return (scope) => {
    const value = date(scope);
    // An invalid format or time zone is an error even if the date is null.
    const text = checkedFormat(format(scope), name);
    const zoneName = timezone(scope);
    const zone = isNullish(zoneName) ? undefined : zoneOf(zoneName);
    if (isNullish(value)) return onNull(scope);
    if (text === undefined || zone === undefined) return null;
    return formatDate(inZone(dateOf(value, name), zone), text);
  };
}

function checkedFormat(format: BsonValue | undefined, name: string): string | undefined {
  if (isNullish(format)) return undefined;
  if (typeof format !== 'string')
    throw mongoError(18533, `${name} requires that 'format' be a string, found: ${typeName(format)}`);
  spendSteps(format.length);
  for (const [, letter = ''] of format.matchAll(SPECIFIER)) {
    if (letter === '') throw mongoError(18535, "Unmatched '%' at end of format string");
    if (!Object.hasOwn(WRITERS, letter))
      throw mongoError(18536, `Invalid format character '%${letter}' in format string`);
  }
  return format;
}

const SPECIFIER = /%([\s\S]?)/g;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
const MAX_YEAR = 9999;

type Writer = (date: ZonedDate) => string;

const WRITERS: Readonly<Record<string, Writer>> = {
  Y: ({ local }) => yearText(local.getUTCFullYear()),
  m: ({ local }) => pad(local.getUTCMonth() + 1, 2),
  b: ({ local }) => monthOf(local).slice(0, 3),
  B: ({ local }) => monthOf(local),
  d: ({ local }) => pad(local.getUTCDate(), 2),
  H: ({ local }) => pad(local.getUTCHours(), 2),
  M: ({ local }) => pad(local.getUTCMinutes(), 2),
  S: ({ local }) => pad(local.getUTCSeconds(), 2),
  L: ({ local }) => pad(local.getUTCMilliseconds(), 3),
  j: ({ local }) => pad(dayOfYear(local), 3),
  w: ({ local }) => String(local.getUTCDay() + 1),
  u: ({ local }) => String(isoDayOfWeek(local)),
  U: ({ local }) => pad(weekOfYear(local), 2),
  V: ({ local }) => pad(isoWeek(local), 2),
  G: ({ local }) => yearText(isoYear(local)),
  Z: (date) => String(offsetMinutes(date)),
  z: (date) => offsetText(offsetMinutes(date)),
  '%': () => '%',
};

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function yearText(year: number): string {
  if (year < 0 || year > MAX_YEAR)
    throw mongoError(18537, `$dateToString is only defined on year 0-9999, tried to use year ${year}`);
  return pad(year, 4);
}

function monthOf(local: Date): string {
  return MONTHS[local.getUTCMonth()] as string;
}

function offsetMinutes({ offsetMs }: ZonedDate): number {
  return Math.trunc(offsetMs / MS_PER_MINUTE);
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const sign = minutes < 0 ? '-' : '+';
  return sign + pad(Math.floor(size / MINUTES_PER_HOUR), 2) + pad(size % MINUTES_PER_HOUR, 2);
}

/** Formats a date. The caller has validated the format. */
export function formatDate(date: ZonedDate, format = DEFAULT_FORMAT): string {
  return format.replace(SPECIFIER, (_match, letter: string) => (WRITERS[letter] as Writer)(date));
}
