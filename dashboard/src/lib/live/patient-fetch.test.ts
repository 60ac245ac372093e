import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPatientFetch } from './patient-fetch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A fetch with one outcome after the other, and what the page learns of them. */
function fetchWith(...outcomes: (number | 'no network')[]) {
  const reached: boolean[] = [];
  let attempts = 0;
  const patient = createPatientFetch(
    async () => {
      const outcome = outcomes[attempts];
      attempts += 1;
      if (outcome === 'no network') throw new TypeError('Failed to fetch');
      return new Response(null, { status: outcome ?? 200 });
    },
    { onReached: (isReached) => reached.push(isReached) },
  );
  return { ...patient, reached, attempts: () => attempts };
}

it('a request for page data is repeated until the dashboard responds', async () => {
  const { fetch, reached } = fetchWith('no network', 503, 'no network', 200);
  const response = fetch('/sandbox/usage/__data.json');
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await response).status).toBe(200);
  expect(reached).toEqual([false, false, false, true]);
});

it('a request for page data returns an error of the dashboard itself at once', async () => {
  const { fetch, attempts } = fetchWith(500);
  expect((await fetch('/sandbox/__data.json')).status).toBe(500);
  expect(attempts()).toBe(1);
});

it('a waiting request for page data is repeated at once on demand', async () => {
  const { fetch, retry, attempts } = fetchWith('no network', 200);
  const response = fetch('/sandbox/__data.json');
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts()).toBe(1);
  retry();
  expect((await response).status).toBe(200);
});

it('a request that the page aborts is not repeated', async () => {
  const { fetch, attempts } = fetchWith('no network');
  await expect(fetch('/', { signal: AbortSignal.abort() })).rejects.toThrow('Failed to fetch');
  expect(attempts()).toBe(1);
});
