import { expect, it } from 'vitest';
import { retryRows } from './retry-rows.ts';

it('the retry table shows ten attempts over about 75 hours in live, and three in the sandbox', () => {
  const rows = retryRows();
  expect(rows.map(({ pause }) => pause)).toEqual([
    null,
    '5 s',
    '5 min',
    '30 min',
    '2 h',
    '5 h',
    '10 h',
    '14 h',
    '20 h',
    '24 h',
  ]);
  expect(rows.map(({ sinceFirst }) => sinceFirst)).toEqual([
    null,
    '5 s',
    '5 min 5 s',
    '35 min 5 s',
    '2 h 35 min',
    '7 h 35 min',
    '17 h 35 min',
    '31 h 35 min',
    '51 h 35 min',
    '75 h 35 min',
  ]);
  expect(rows.map(({ sandboxPause }) => sandboxPause).filter((pause) => pause !== null)).toEqual([
    '5 s',
    '2 min',
  ]);
});
