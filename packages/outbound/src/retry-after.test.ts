import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './retry-after.ts';

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['99999999999999', null],
    [undefined, null],
  ])('%s is read as %s ms', (value, expected) => {
    expect(parseRetryAfterMs(value, nowMs)).toBe(expected);
  });
});
