import { expect, it } from 'vitest';
import { gridStep } from './grid-step.ts';

it.each([
  [0, 1, 1],
  [3, 1, 1],
  [5, 1, 2],
  [9, 1, 5],
  [41, 1, 20],
  [100, 1, 25],
  [3_999_999, 1, 1_000_000],
  [0.3, 0.01, 0.1],
  [0.04, 0.0025, 0.01],
  [0, 0.0025, 0.0025],
])('the grid step fits %d into four steps of at least %d: %d', (greatest, least, step) => {
  expect(gridStep(greatest, least)).toBe(step);
});
