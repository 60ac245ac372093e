import { expect, it } from 'vitest';
import { columnAt, columnPercent } from './column-at.ts';

const ten = { columns: 10, insetPercent: 5 };

it.each([
  [0, 0],
  [0.05, 0],
  [0.139, 0],
  [0.141, 1],
  [0.5, 5],
  [0.949, 9],
  [1, 9],
  [-3, 0],
  [7, 9],
])('a column at position %d has index %d', (ratio, column) => {
  expect(columnAt(ratio, ten)).toBe(column);
});

it('a column has its left edge at a percentage of the width', () => {
  expect([0, 5, 10].map((column) => columnPercent(column, ten))).toEqual([5, 50, 95]);
});
