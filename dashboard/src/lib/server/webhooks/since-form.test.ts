import { expect, it } from 'vitest';
import { readSince, suggestSince } from './since-form.ts';

const ZONE = 'Europe/Berlin';

const read = (since: string) => readSince(since, ZONE);

it('the form of a recovery suggests the time of the failure, or one day ago without a failure', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  expect(read(suggestSince('2026-11-20T09:30:45.123Z', ZONE, now))).toBe('2026-11-20T09:30:00.000Z');
  expect(read(suggestSince(null, ZONE, now))).toBe('2026-11-20T12:00:00.000Z');
});

it.each(['', 'yesterday', '2026-02-31T10:00'])('the form of a recovery rejects “%s”', (typed) => {
  expect(read(typed)).toBeNull();
});
