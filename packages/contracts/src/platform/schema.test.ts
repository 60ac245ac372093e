import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { Time } from './schema.ts';

it.each([
  ['2026-01-01T00:00:00Z', true],
  ['2026-01-01T00:00:00.123+02:00', true],
  ['2026-12-28T23:59:59.999Z', true],
  ['2028-02-29T00:00:00.000Z', true],
  ['2026-01-01', false],
  ['2026-01-01T00:00:00', false],
  ['2026-02-30T00:00:00Z', false],
  ['2026-02-29T00:00:00.000Z', false],
  ['2026-13-01T00:00:00.000Z', false],
  ['2026-01-01T24:00:00.000Z', false],
  ['2026-06-30T23:59:60Z', false],
  ['2026-06-28T23:59:60.000Z', false],
  ['2026-01-01T00:00:00Z[Europe/Berlin]', false],
  ['soon', false],
])('%s is valid: %s', (text, expected) => {
  expect(Compile(Time).Check(text)).toBe(expected);
});
