import { BSON } from 'mongodb';
import { type Case, rejected, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

const OBJECT_ID = new BSON.ObjectId('507c7f79bcf86cd7994f6c0e');
const TIMESTAMP = new BSON.Timestamp({ t: 1350336377, i: 9 });

const shifted =
  (operator: string) =>
  (startDate: string, amount: unknown, unit: string, end: string, timezone = 'UTC'): Case<unknown> => [
    { [operator]: { startDate: new Date(startDate), unit, amount, timezone } },
    new Date(end),
  ];
const added = shifted('$dateAdd');
const subtracted = shifted('$dateSubtract');

const difference = (
  start: string,
  end: string,
  unit: string,
  expected: number,
  options: object = {},
): Case<unknown> => [
  { $dateDiff: { startDate: new Date(start), endDate: new Date(end), unit, ...options } },
  long(expected),
];

const truncated = (date: string, unit: string, expected: string, options: object = {}): Case<unknown> => [
  { $dateTrunc: { date: new Date(date), unit, ...options } },
  new Date(expected),
];

/** Rejections that `$dateAdd` and `$dateSubtract` share. */
const shiftRejections = (operator: string): Case<unknown>[] => [
  [{ [operator]: { startDate: '$missing', unit: 'day', amount: 1 } }, null],
  [{ [operator]: { startDate: '$at', unit: null, amount: 1 } }, null],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: '$missing' } }, null],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: 1, timezone: null } }, null],
  [{ [operator]: { startDate: '$s', unit: 'day', amount: 1 } }, rejected(5166403)],
  [{ [operator]: { startDate: '$at', unit: 5, amount: 1 } }, rejected(5166404)],
  [{ [operator]: { startDate: '$at', unit: 'epoch', amount: 1 } }, rejected(9)],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: 1.001 } }, rejected(5166405)],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: '$s' } }, rejected(5166405)],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: 1, timezone: 5 } }, rejected(40517)],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: 1, timezone: 'Nowhere' } }, rejected(40485)],
  [{ [operator]: '$at' }, rejected(5166400)],
  [{ [operator]: { startDate: '$at', unit: 'day', amount: 1, other: 1 } }, rejected(5166401)],
  [{ [operator]: { unit: 'day', amount: 1 } }, rejected(5166402)],
  [{ [operator]: { startDate: '$at', amount: 1 } }, rejected(5166402)],
  [{ [operator]: { startDate: '$at', unit: 'day' } }, rejected(5166402)],
];

export const DATE_ARITHMETIC: Tables<unknown> = {
  $dateAdd: {
    title: 'adds units of time, and takes the last day of a month that is too short',
    cases: [
      added('2024-01-31T10:00:00Z', 1, 'month', '2024-02-29T10:00:00Z'),
      added('2023-01-31T10:00:00Z', 1, 'month', '2023-02-28T10:00:00Z'),
      added('2024-02-29T10:00:00Z', 1, 'year', '2025-02-28T10:00:00Z'),
      added('2024-02-29T10:00:00Z', 4, 'year', '2028-02-29T10:00:00Z'),
      added('2024-11-30T10:00:00Z', 1, 'quarter', '2025-02-28T10:00:00Z'),
      added('2024-05-31T10:00:00Z', -1, 'month', '2024-04-30T10:00:00Z'),
      added('2024-01-15T10:00:00Z', -13, 'month', '2022-12-15T10:00:00Z'),
      added('1969-12-31T23:59:59.999Z', 1, 'millisecond', '1970-01-01T00:00:00Z'),
      added('1970-01-01T00:00:00Z', -1, 'second', '1969-12-31T23:59:59Z'),
      added('2024-02-28T10:00:00Z', 2, 'day', '2024-03-01T10:00:00Z'),
      added('2024-02-28T10:00:00Z', 1, 'week', '2024-03-06T10:00:00Z'),
      added('2024-02-28T23:30:00Z', long(1), 'hour', '2024-02-29T00:30:00Z'),
      added('2024-02-28T23:30:00Z', double(45), 'minute', '2024-02-29T00:15:00Z'),
      added('2038-01-19T03:14:07Z', decimal('1'), 'second', '2038-01-19T03:14:08Z'),
      // Across a change of the UTC offset, adding a day keeps the local time, but adding 24 hours does not.
      added('2020-10-24T18:10:00Z', 1, 'day', '2020-10-25T19:10:00Z', 'Europe/Paris'),
      added('2020-10-24T18:10:00Z', 24, 'hour', '2020-10-25T18:10:00Z', 'Europe/Paris'),
      added('2021-01-30T23:30:00Z', 1, 'month', '2021-02-27T23:30:00Z', 'Europe/Paris'),
      added('2021-02-13T07:30:00Z', 1, 'month', '2021-03-13T07:30:00Z', 'America/New_York'),
      // 02:30 does not exist on that day.
      added('2021-03-13T07:30:00Z', 1, 'day', '2021-03-14T07:30:00Z', 'America/New_York'),
      added('2021-01-31T01:00:00Z', 1, 'month', '2021-02-28T01:00:00Z', '+05:30'),
      [{ $dateAdd: { startDate: OBJECT_ID, unit: 'day', amount: 1 } }, new Date('2012-10-16T21:26:17Z')],
      [{ $dateAdd: { startDate: TIMESTAMP, unit: 'day', amount: 1 } }, new Date('2012-10-16T21:26:17Z')],
      ...shiftRejections('$dateAdd'),
    ],
  },
  $dateSubtract: {
    title: 'subtracts units of time, and takes the last day of a month that is too short',
    cases: [
      subtracted('2024-03-31T10:00:00Z', 1, 'month', '2024-02-29T10:00:00Z'),
      subtracted('2021-01-31T03:00:00Z', 2, 'month', '2020-11-30T03:00:00Z'),
      subtracted('2021-01-31T03:00:00Z', 2, 'month', '2020-12-01T03:00:00Z', 'America/New_York'),
      subtracted('2024-01-15T00:00:00Z', 1, 'quarter', '2023-10-15T00:00:00Z'),
      subtracted('2024-01-01T00:00:00Z', 1, 'millisecond', '2023-12-31T23:59:59.999Z'),
      subtracted('2024-01-01T00:00:00Z', -1, 'week', '2024-01-08T00:00:00Z'),
      subtracted('1970-01-01T00:00:00Z', 70, 'year', '1900-01-01T00:00:00Z'),
      ...shiftRejections('$dateSubtract'),
    ],
  },
  $dateDiff: {
    title: 'counts the boundaries of a unit between two dates as an int64',
    cases: [
      difference('2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00Z', 'year', 1),
      difference('2024-01-01T00:00:00Z', '2024-12-31T23:59:59Z', 'year', 0),
      difference('2024-03-31T00:00:00Z', '2024-04-01T00:00:00Z', 'quarter', 1),
      difference('2024-04-01T00:00:00Z', '2024-01-31T00:00:00Z', 'month', -3),
      difference('2024-02-28T23:59:59Z', '2024-03-01T00:00:00Z', 'day', 2),
      difference('1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z', 'day', 1),
      difference('1970-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', 'second', -1),
      difference('1970-01-01T00:00:00.999Z', '1970-01-01T00:00:01Z', 'second', 1),
      difference('2024-01-01T00:59:59Z', '2024-01-01T02:00:00Z', 'hour', 2),
      difference('2024-01-01T00:59:59Z', '2024-01-01T01:00:00Z', 'minute', 1),
      difference('0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z', 'millisecond', 315537811200000),
      // By default, a week begins on Sunday.
      difference('2024-01-06T00:00:00Z', '2024-01-07T00:00:00Z', 'week', 1),
      difference('2024-01-06T00:00:00Z', '2024-01-07T00:00:00Z', 'week', 0, { startOfWeek: 'monday' }),
      difference('2024-01-07T00:00:00Z', '2024-01-08T00:00:00Z', 'week', 1, { startOfWeek: 'MON' }),
      difference('1969-12-27T00:00:00Z', '1970-01-04T00:00:00Z', 'week', 2),
      difference('2024-01-06T00:00:00Z', '2024-01-07T00:00:00Z', 'day', 1, { startOfWeek: null }),
      // Midnight and hours in local time.
      difference('2021-03-14T04:59:00Z', '2021-03-14T05:00:00Z', 'day', 1, { timezone: 'America/New_York' }),
      difference('2021-03-14T04:59:00Z', '2021-03-14T05:00:00Z', 'day', 0),
      difference('2021-03-14T06:30:00Z', '2021-03-14T07:30:00Z', 'hour', 1, { timezone: 'America/New_York' }),
      difference('2021-11-07T05:30:00Z', '2021-11-07T06:30:00Z', 'hour', 1, { timezone: 'America/New_York' }),
      difference('2021-11-07T05:30:00Z', '2021-11-07T06:30:00Z', 'minute', 60, {
        timezone: 'America/New_York',
      }),
      difference('2024-01-01T00:29:00Z', '2024-01-01T00:30:00Z', 'hour', 1, { timezone: '+05:30' }),
      [{ $dateDiff: { startDate: OBJECT_ID, endDate: TIMESTAMP, unit: 'second' } }, long(0)],
      [{ $dateDiff: { startDate: null, endDate: '$at', unit: 'day' } }, null],
      [{ $dateDiff: { startDate: '$at', endDate: '$missing', unit: 'day' } }, null],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: null } }, null],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 'day', timezone: null } }, null],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 'week', startOfWeek: null } }, null],
      [{ $dateDiff: { startDate: '$s', endDate: '$at', unit: 'day' } }, rejected(5166307)],
      [{ $dateDiff: { startDate: '$at', endDate: 5, unit: 'day' } }, rejected(5166307)],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 5 } }, rejected(5439013)],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 'days' } }, rejected(9)],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 'week', startOfWeek: 5 } }, rejected(5439015)],
      [
        { $dateDiff: { startDate: '$at', endDate: '$at', unit: 'week', startOfWeek: 'x' } },
        rejected(5439016),
      ],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 'day', timezone: 'x' } }, rejected(40485)],
      [{ $dateDiff: '$at' }, rejected(5166301)],
      [{ $dateDiff: { startDate: '$at', endDate: '$at', unit: 'day', other: 1 } }, rejected(5166302)],
      [{ $dateDiff: { endDate: '$at', unit: 'day' } }, rejected(5166303)],
      [{ $dateDiff: { startDate: '$at', unit: 'day' } }, rejected(5166304)],
      [{ $dateDiff: { startDate: '$at', endDate: '$at' } }, rejected(5166305)],
    ],
  },
  $dateTrunc: {
    title: 'returns the beginning of the bin of units that a date lies in',
    cases: [
      truncated('2024-03-15T10:20:30.456Z', 'second', '2024-03-15T10:20:30Z'),
      truncated('2024-03-15T10:20:30.456Z', 'minute', '2024-03-15T10:20:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'hour', '2024-03-15T10:00:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'day', '2024-03-15T00:00:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'week', '2024-03-10T00:00:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'week', '2024-03-15T00:00:00Z', { startOfWeek: 'Friday' }),
      truncated('2024-03-15T10:20:30.456Z', 'week', '2024-03-09T00:00:00Z', { startOfWeek: 'sat' }),
      truncated('2024-03-15T10:20:30.456Z', 'month', '2024-03-01T00:00:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'quarter', '2024-01-01T00:00:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'year', '2024-01-01T00:00:00Z'),
      truncated('1969-12-31T23:59:59.999Z', 'hour', '1969-12-31T23:00:00Z'),
      truncated('1969-12-31T23:59:59.999Z', 'month', '1969-12-01T00:00:00Z'),
      truncated('0050-03-15T00:00:00Z', 'year', '0050-01-01T00:00:00Z'),
      // Bins count from 2000-01-01, bins of weeks from the first week of that year.
      truncated('2020-11-01T18:23:36Z', 'hour', '2020-11-01T18:00:00Z', { binSize: 2 }),
      truncated('2020-01-30T18:59:00Z', 'minute', '2020-01-30T18:45:00Z', { binSize: decimal('15') }),
      truncated('2020-01-30T18:59:00.003Z', 'millisecond', '2020-01-30T18:59:00Z', { binSize: 1000 }),
      truncated('2000-07-04T00:00:00Z', 'month', '2000-06-01T00:00:00Z', { binSize: 5 }),
      truncated('1999-12-31T00:00:00Z', 'year', '1998-01-01T00:00:00Z', { binSize: 2 }),
      truncated('2000-01-15T00:00:00Z', 'week', '2000-01-02T00:00:00Z', { binSize: 2 }),
      truncated('2000-01-01T00:00:00Z', 'week', '1999-12-19T00:00:00Z', { binSize: 2 }),
      truncated('1999-12-31T00:00:00Z', 'day', '1999-12-29T00:00:00Z', { binSize: long(3) }),
      // In local time.
      truncated('2024-03-15T02:00:00Z', 'day', '2024-03-14T04:00:00Z', { timezone: 'America/New_York' }),
      truncated('2024-03-15T02:00:00Z', 'month', '2024-03-01T05:00:00Z', { timezone: 'America/New_York' }),
      truncated('2021-12-01T18:23:36Z', 'hour', '2021-12-01T17:00:00Z', {
        binSize: 4,
        timezone: 'America/New_York',
      }),
      truncated('2000-01-30T18:00:00Z', 'week', '2000-01-17T05:00:00Z', {
        binSize: 2,
        timezone: 'America/New_York',
        startOfWeek: 'mon',
      }),
      truncated('2024-01-01T00:10:00Z', 'hour', '2023-12-31T23:30:00Z', { timezone: '+05:30' }),
      [{ $dateTrunc: { date: OBJECT_ID, unit: 'minute', binSize: 10 } }, new Date('2012-10-15T21:20:00Z')],
      [{ $dateTrunc: { date: TIMESTAMP, unit: 'second', binSize: 10 } }, new Date('2012-10-15T21:26:10Z')],
      [{ $dateTrunc: { date: '$at', unit: 'year', startOfWeek: 1 } }, new Date('2024-01-01T00:00:00Z')],
      [{ $dateTrunc: { date: '$missing', unit: 'H', binSize: '$s', timezone: 1 } }, null],
      [{ $dateTrunc: { date: '$at', unit: null } }, null],
      [{ $dateTrunc: { date: '$at', unit: 'hour', binSize: null } }, null],
      [{ $dateTrunc: { date: '$at', unit: 'hour', timezone: '$missing' } }, null],
      [{ $dateTrunc: { date: '$at', unit: 'week', startOfWeek: null } }, null],
      [{ $dateTrunc: { date: '$s', unit: 'hour' } }, rejected(5439012)],
      [{ $dateTrunc: { date: '$at', unit: 1 } }, rejected(5439013)],
      [{ $dateTrunc: { date: '$at', unit: 'century' } }, rejected(9)],
      [{ $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 1 } }, rejected(5439015)],
      [{ $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'FRIDIE' } }, rejected(5439016)],
      [{ $dateTrunc: { date: '$at', unit: 'hour', binSize: '$s' } }, rejected(5439017)],
      [{ $dateTrunc: { date: '$at', unit: 'hour', binSize: 2.5 } }, rejected(5439017)],
      [{ $dateTrunc: { date: '$at', unit: 'hour', binSize: 0 } }, rejected(5439018)],
      [{ $dateTrunc: { date: '$at', unit: 'day', binSize: long('100000000001') } }, rejected(5439006)],
      [{ $dateTrunc: { date: '$at', unit: 'hour', timezone: 1 } }, rejected(40517)],
      [{ $dateTrunc: { date: '$at', unit: 'hour', timezone: 'America/Invalid' } }, rejected(40485)],
      [{ $dateTrunc: 'A' }, rejected(5439007)],
      [{ $dateTrunc: { date: '$at', unit: 'day', other: 1 } }, rejected(5439008)],
      [{ $dateTrunc: { unit: 'week' } }, rejected(5439009)],
      [{ $dateTrunc: { date: '$at' } }, rejected(5439010)],
    ],
  },
};
