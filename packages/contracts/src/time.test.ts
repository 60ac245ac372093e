import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { Time } from './time.ts';

it.each([
  ['2026-01-01T00:00:00Z', true],
  ['2026-01-01T00:00:00.123+02:00', true],
  ['2026-01-01', false],
  ['2026-01-01T00:00:00', false],
  ['2026-02-30T00:00:00Z', false],
  ['2026-06-30T23:59:60Z', false],
  ['2026-01-01T00:00:00Z[Europe/Berlin]', false],
  ['soon', false],
])('%s is valid: %s', (text, expected) => {
  expect(Compile(Time).Check(text)).toBe(expected);
});
