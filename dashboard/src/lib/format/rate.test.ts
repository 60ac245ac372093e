import { expect, it } from 'vitest';
import { formatRate } from './rate.ts';

it.each([
  [1, '100%'],
  [0.99999, '99.9%'],
  [0.00001, '0.1%'],
  [0, '0%'],
  [0.875, '87.5%'],
])('`formatRate` formats a rate of %d as %s', (rate, text) => {
  expect(formatRate(rate)).toBe(text);
});
