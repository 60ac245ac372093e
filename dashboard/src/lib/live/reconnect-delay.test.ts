import { expect, it } from 'vitest';
import { reconnectDelayMs } from './reconnect-delay.ts';

it('the reconnect delay doubles from 1 to 30 seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((failures) => reconnectDelayMs(failures, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

it('the reconnect delay is never less than half of the doubled delay', () => {
  expect(reconnectDelayMs(3, 0)).toBe(2_000);
});
