import { expect, it } from 'vitest';
import { hasFailedPart } from './failed-part.ts';

it.each([
  [{ payments: { ok: false, message: 'Payments could not be loaded.' }, now: 1 }, true],
  [{ list: { page: { ok: false, message: 'Payments could not be loaded.' } } }, true],
  [{ payments: { ok: true, data: [] }, firstSteps: null, now: 1 }, false],
  [{}, false],
])('an update lacks a part: %j, %j', (data, expected) => {
  expect(hasFailedPart(data)).toBe(expected);
});
