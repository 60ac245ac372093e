import { expect, it } from 'vitest';
import { columnAt, columnPercent } from './bands.ts';

/** Ten columns have a gap of an eighth of a column at both ends: 1.22% of the width. */
const TEN = 10;

it.each([
  [0, 0],
  [0.0122, 0],
  [0.1097, 0],
  [0.1098, 1],
  [0.5, 5],
  [0.987, 9],
  [1, 9],
  [-3, 0],
  [7, 9],
])('a column at position %d has index %d', (ratio, column) => {
  expect(columnAt(ratio, TEN)).toBe(column);
});

it('a column has its left edge at a percentage of the width', () => {
  expect([0, 5, 10].map((column) => columnPercent(column, TEN))).toEqual([
    expect.closeTo(1.22, 2),
    50,
    expect.closeTo(98.78, 2),
  ]);
});
