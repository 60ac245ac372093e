import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readSince, suggestSince } from './since-form.ts';

const ZONE = 'Europe/Berlin';

async function read(since: string) {
  const body = new URLSearchParams({ since });
  return readSince(await readForm(new Request('http://localhost', { method: 'POST', body })), ZONE);
}

it('the form of a recovery suggests the time of the failure, or one day ago without a failure', async () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  expect(await read(suggestSince('2026-11-20T09:30:45.123Z', ZONE, now))).toBe('2026-11-20T09:30:00.000Z');
  expect(await read(suggestSince(null, ZONE, now))).toBe('2026-11-20T12:00:00.000Z');
});

it.each(['', 'yesterday', '2026-02-31T10:00'])('the form of a recovery rejects “%s”', async (typed) => {
  expect(await read(typed)).toBeNull();
});
