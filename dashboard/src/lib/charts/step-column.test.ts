import { expect, it } from 'vitest';
import { stepColumn } from './step-column.ts';

it.each([
  ['ArrowLeft', 5, 4],
  ['ArrowRight', 5, 6],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 59, 59],
  ['PageDown', 30, 24],
  ['PageUp', 58, 59],
  ['Home', 30, 0],
  ['End', 30, 59],
  ['ArrowLeft', null, 58],
  ['Enter', 5, null],
])('%s leads from column %j of 60 to column %j', (key, current, target) => {
  expect(stepColumn(key, current, 60)).toBe(target);
});
