import { expect, it } from 'vitest';
import { formatLatency } from './latency.ts';

it.each([
  [0.04, '0 ms'],
  [3.21, '3.2 ms'],
  [119.6, '120 ms'],
  [0, '0 ms'],
  [230, '230 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [2_140, '2.1 s'],
  [14_960, '15.0 s'],
])('`formatLatency` formats %d ms as %s', (latencyMs, text) => {
  expect(formatLatency(latencyMs)).toBe(text);
});
