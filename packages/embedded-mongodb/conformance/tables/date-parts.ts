import { BSON } from 'mongodb';
import { type Case, rejected, type Table, type Tables } from '../support/tables.ts';
import { double } from '../support/values.ts';

const { ObjectId, Timestamp } = BSON;

/** 2012-10-15T21:26:17Z */
const OBJECT_ID = new ObjectId('507c7f79bcf86cd7994f6c0e');
const TIMESTAMP = new Timestamp({ t: 1350336377, i: 9 });
const BEFORE_1970 = new Date('1969-12-31T23:59:59.999Z');
const AFTER_2038 = new Date('2040-02-29T12:00:00Z');
const YEAR_50 = new Date('0050-03-01T00:00:00Z');
const BEFORE_CHRIST = new Date('-000044-03-15T00:00:00Z');

/**
 * The part of each of these inputs: the date of the document, an ObjectId and a Timestamp of the same second, a date
 * before 1970, one after 2038, two in early years, then the date of the document in three time zones.
 */
type Parts = readonly [
  at: number,
  second: number,
  before1970: number,
  after2038: number,
  year50: number,
  beforeChrist: number,
  inKolkata: number,
  inNewYork: number,
  ahead14Hours: number,
];

function datePart(operator: string, title: string, parts: Parts): Table<unknown> {
  const [at, second, before1970, after2038, year50, beforeChrist, inKolkata, inNewYork, ahead14Hours] = parts;
  const of = (operand: unknown) => ({ [operator]: operand });
  const cases: Case<unknown>[] = [
    [of('$at'), at],
    [of(['$at']), at],
    [of({ date: '$at' }), at],
    [of({ date: '$at', timezone: 'UTC' }), at],
    [of(OBJECT_ID), second],
    [of(TIMESTAMP), second],
    [of(BEFORE_1970), before1970],
    [of(AFTER_2038), after2038],
    [of(YEAR_50), year50],
    [of(BEFORE_CHRIST), beforeChrist],
    [of({ date: '$at', timezone: 'Asia/Kolkata' }), inKolkata],
    [of({ date: '$at', timezone: '+05:30' }), inKolkata],
    [of({ date: '$at', timezone: '+0530' }), inKolkata],
    [of({ date: '$at', timezone: 'America/New_York' }), inNewYork],
    [of({ date: '$at', timezone: '-04' }), inNewYork],
    [of({ date: '$at', timezone: '+14:00' }), ahead14Hours],
    [of(null), null],
    [of('$missing'), null],
    [of({ date: '$at', timezone: '$missing' }), null],
    [of({ date: '$at', timezone: null }), null],
    [of('$s'), rejected(16006)],
    [of(double(1)), rejected(16006)],
    [of({ date: '$at', timezone: 5 }), rejected(40517)],
    [of({ date: '$at', timezone: 'Europe/Nowhere' }), rejected(40485)],
    [of({ date: '$at', timezone: '+5' }), rejected(40485)],
    [of({ date: '$at', timezone: '2024-01-01T00:00Z' }), rejected(40485)],
    [of({ timezone: 'UTC' }), rejected(40539)],
    [of({}), rejected(40539)],
    [of({ date: '$at', other: 1 }), rejected(40535)],
    [of([]), rejected(40536)],
    [of(['$at', '$at']), rejected(40536)],
    [of([{ date: '$at' }]), rejected(16006)],
  ];
  return { title, cases };
}

// The document's date is Friday, 2024-03-15T10:20:30.456Z.
export const DATE_PARTS: Tables<unknown> = {
  $year: datePart('$year', 'returns the year', [2024, 2012, 1969, 2040, 50, -44, 2024, 2024, 2024]),
  $month: datePart('$month', 'returns the month from 1 on', [3, 10, 12, 2, 3, 3, 3, 3, 3]),
  $dayOfMonth: datePart('$dayOfMonth', 'returns the day of the month', [15, 15, 31, 29, 1, 15, 15, 15, 16]),
  $hour: datePart('$hour', 'returns the hour', [10, 21, 23, 12, 0, 0, 15, 6, 0]),
  $minute: datePart('$minute', 'returns the minute', [20, 26, 59, 0, 0, 0, 50, 20, 20]),
  $second: datePart('$second', 'returns the second', [30, 17, 59, 0, 0, 0, 30, 30, 30]),
  $millisecond: datePart('$millisecond', 'returns the millisecond', [456, 0, 999, 0, 0, 0, 456, 456, 456]),
  $dayOfWeek: datePart(
    '$dayOfWeek',
    'returns the day of the week, 1 for Sunday',
    [6, 2, 4, 4, 3, 5, 6, 6, 7],
  ),
  $dayOfYear: datePart('$dayOfYear', 'returns the day of the year', [75, 289, 365, 60, 60, 75, 75, 75, 76]),
};
