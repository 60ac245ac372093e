import { type BsonValue, Long } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type CompileOperator, integerOf, isNullish, type Operators, operandsByName } from '../operator.ts';
import { dateAt, dateOf, fromLocal, inZone, zoneOf } from '../zoned-date.ts';
import { addUnits, followsClocks, unitNumber, unitOf, unitStart } from './date-unit.ts';

const shiftOperands = operandsByName(
  { notDocument: 5166400, unknown: 5166401 },
  ['startDate', 5166402],
  ['unit', 5166402],
  ['amount', 5166402],
  ['timezone'],
);
const differenceOperands = operandsByName(
  { notDocument: 5166301, unknown: 5166302 },
  ['startDate', 5166303],
  ['endDate', 5166304],
  ['unit', 5166305],
  ['timezone'],
  ['startOfWeek'],
);
const truncationOperands = operandsByName(
  { notDocument: 5439007, unknown: 5439008 },
  ['date', 5439009],
  ['unit', 5439010],
  ['binSize'],
  ['timezone'],
  ['startOfWeek'],
);

export const DATE_ARITHMETIC_OPERATORS: Operators = {
  $dateAdd: onNamed(shiftOperands, (given, name) => shift(given, name, 1)),
  $dateSubtract: onNamed(shiftOperands, (given, name) => shift(given, name, -1)),
  $dateDiff: onNamed(differenceOperands, difference),
  $dateTrunc: onNamed(truncationOperands, truncate),
};

/** The operands by name. An absent operand is undefined; no operand is null. */
type Given = Readonly<Record<string, BsonValue | undefined>>;

function onNamed(
  read: typeof shiftOperands,
  calculate: (given: Given, name: string) => BsonValue,
): CompileOperator {
  return (operand, recurse, name) => {
    const compiled = [...read(operand, name)].map(([key, expression]) => [key, recurse(expression)] as const);
    return (scope) => {
      const given: Record<string, BsonValue | undefined> = {};
      for (const [key, evaluate] of compiled) given[key] = evaluate(scope) ?? null;
      // Other units ignore `startOfWeek`, even if it is null.
      if (given['unit'] !== 'week') delete given['startOfWeek'];
      return Object.values(given).some(isNullish) ? null : calculate(given, name);
    };
  };
}

function shift({ startDate, unit, amount, timezone }: Given, name: string, sign: 1 | -1): Date {
  const zone = zoneOf(timezone);
  const date = dateOf(startDate, name, 5166403);
  const shiftedBy = unitOf(unit, name, 5166404);
  const count = integerOf(amount, 64, name, 5166405);
  if (!followsClocks(shiftedBy)) return addUnits(date, sign * count, shiftedBy);
  return fromLocal(addUnits(inZone(date, zone).local, sign * count, shiftedBy), zone);
}

/** How many units start between the dates. */
function difference({ startDate, endDate, unit, timezone, startOfWeek }: Given, name: string): Long {
  const zone = zoneOf(timezone);
  const start = inZone(dateOf(startDate, name, 5166307), zone);
  const end = inZone(dateOf(endDate, name, 5166307), zone);
  const counted = unitOf(unit, name, 5439013, startOfWeek);
  const boundaries = unitNumber(end.local, counted) - unitNumber(start.local, counted);
  if ('months' in counted || followsClocks(counted)) return Long.fromNumber(boundaries);
  // Hours and shorter units count elapsed time, which excludes changes of the UTC offset.
  return Long.fromNumber(boundaries + Math.trunc((start.offsetMs - end.offsetMs) / counted.ms));
}

/** Bins count from the start of 2000. Bins of weeks count from the first week that starts in that year. */
const FIRST_DAY = new Date('2000-01-01T00:00:00Z');
const FIRST_WEEK = new Date('2000-01-07T00:00:00Z');
/** MongoDB's limit for days and longer units. */
const MAX_BIN_SIZE = 100_000_000_000;

function truncate({ date, unit, binSize, timezone, startOfWeek }: Given, name: string): Date {
  const zone = zoneOf(timezone);
  const value = dateOf(date, name, 5439012);
  const counted = unitOf(unit, name, 5439013, startOfWeek);
  const size = binSize === undefined ? 1 : binSizeOf(binSize, name);
  const first = unitNumber(unit === 'week' ? FIRST_WEEK : FIRST_DAY, counted);
  const binStart = (local: Date) =>
    unitStart(first + Math.floor((unitNumber(local, counted) - first) / size) * size, counted);
  if (followsClocks(counted)) {
    if (size > MAX_BIN_SIZE) throw mongoError(5439006, `${name}: unsupported binSize value`);
    return fromLocal(binStart(inZone(value, zone).local), zone);
  }
  // As in MongoDB, hours and shorter units use the UTC offset at the start of 2000.
  const { offsetMs } = inZone(FIRST_DAY, zone);
  return dateAt(binStart(dateAt(value.getTime() + offsetMs)).getTime() - offsetMs);
}

function binSizeOf(value: BsonValue, name: string): number {
  const size = integerOf(value, 64, name, 5439017);
  if (size <= 0) throw mongoError(5439018, `${name} requires 'binSize' to be greater than 0, not ${size}`);
  return size;
}
