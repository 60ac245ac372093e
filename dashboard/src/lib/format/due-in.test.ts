import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { expect, it } from 'vitest';
import { formatDueIn } from './due-in.ts';

it.each([
  [-5, 'now'],
  [0, 'now'],
  [1, 'in 1 s'],
  [4_200, 'in 5 s'],
  [59_900, 'in 1 min'],
  [4 * MINUTE_MS + 12_000, 'in 4 min 12 s'],
  [2 * HOUR_MS + 5 * MINUTE_MS + 59_000, 'in 2 h 5 min'],
  [24 * HOUR_MS, 'in 1 day'],
  [74 * HOUR_MS, 'in 3 days 2 h'],
])('`dueIn` formats %i ms as “%s”', (leftMs, text) => {
  expect(formatDueIn(leftMs)).toBe(text);
});
