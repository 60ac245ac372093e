import { expect, it } from 'vitest';
import { sparkline } from './sparkline.ts';

it.each([
  ['rises from zero to the highest value', [0, 5, 10], 'M0 23L50 12L100 1'],
  ['is flat at the bottom when all values are zero', [0, 0], 'M0 23L100 23'],
  ['is flat at the top when all values are equal', [7, 7], 'M0 1L100 1'],
  ['has a gap where a value is unknown', [1, null, 1, 1], 'M0 1M66.7 1L100 1'],
  ['is empty with a single value', [null, 3], ''],
  ['is empty without values', [], ''],
])('a sparkline %s', (_, values, path) => {
  expect(sparkline(values)).toBe(path);
});
