import { expect, it } from 'vitest';
import { formatDuration } from './duration.ts';

it('`formatDuration` formats a duration in milliseconds below one second, and in seconds from there on', () => {
  expect([0, 230, 999, 1_000, 14_960].map(formatDuration)).toEqual([
    '0 ms',
    '230 ms',
    '999 ms',
    '1.0 s',
    '15.0 s',
  ]);
});
