import { describe, expect, it } from 'vitest';
import { columnAt, columnPercent } from './column-at.ts';

const ten = { columns: 10, insetPercent: 5 };

describe('the column under a place', () => {
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
  ])('%d is in column %d', (ratio, column) => {
    expect(columnAt(ratio, ten)).toBe(column);
  });

  it('is the one that begins there', () => {
    expect([0, 5, 10].map((column) => columnPercent(column, ten))).toEqual([5, 50, 95]);
  });
});
