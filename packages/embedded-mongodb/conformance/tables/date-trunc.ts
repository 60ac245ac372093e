import { rejected, type Tables } from '../support/tables.ts';

const truncated = (date: string, unit: string, expected: string) =>
  [{ $dateTrunc: { date: new Date(date), unit } }, new Date(expected)] as const;

export const DATE_TRUNC: Tables<unknown> = {
  $dateTrunc: {
    title: 'returns the beginning of the UTC hour or day that a date lies in',
    cases: [
      truncated('2024-03-15T10:20:30.456Z', 'hour', '2024-03-15T10:00:00Z'),
      truncated('2024-03-15T10:20:30.456Z', 'day', '2024-03-15T00:00:00Z'),
      truncated('1969-12-31T23:59:59.999Z', 'hour', '1969-12-31T23:00:00Z'),
      truncated('0050-03-15T01:00:00Z', 'day', '0050-03-15T00:00:00Z'),
      [{ $dateTrunc: { date: '$missing', unit: 'hour' } }, null],
      [{ $dateTrunc: { date: '$at', unit: null } }, null],
      [{ $dateTrunc: { date: '$s', unit: 'hour' } }, rejected(5439012)],
      [{ $dateTrunc: { date: '$at', unit: 1 } }, rejected(5439013)],
      [{ $dateTrunc: { date: '$at', unit: 'century' } }, rejected(9)],
      [{ $dateTrunc: 'A' }, rejected(5439007)],
      [{ $dateTrunc: { date: '$at', unit: 'day', other: 1 } }, rejected(5439008)],
      [{ $dateTrunc: { unit: 'week' } }, rejected(5439009)],
      [{ $dateTrunc: { date: '$at' } }, rejected(5439010)],
    ],
  },
};
