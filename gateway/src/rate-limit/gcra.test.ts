import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BucketLevel, decideByGcra } from './gcra.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

const START_MS = 1_700_000_000_000;

function runRequests(limit: { requests_per_second: number; burst: number }, timesMs: number[]) {
  let bucket: BucketLevel | undefined;
  return timesMs.map((timeMs) => {
    const decision = decideByGcra(limit, bucket, timeMs);
    bucket = decision.bucket;
    return decision;
  });
}

const limits = fc.record({
  requests_per_second: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 2_000 }),
});

test('the rate limit allows exactly the burst at one instant, and counts it down', () => {
  fc.assert(
    fc.property(limits, (limit) => {
      const decisions = runRequests(limit, Array(limit.burst + 3).fill(START_MS));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(limit.burst);
      expect(decisions.map((decision) => decision.remaining).slice(0, limit.burst)).toEqual(
        Array.from({ length: limit.burst }, (_, index) => limit.burst - 1 - index),
      );
    }),
    { numRuns: 50 },
  );
});

test('the rate limit never allows more than the burst plus the rate times the elapsed time', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(
      fc.record({
        requests_per_second: fc.integer({ min: 1, max: 50 }),
        burst: fc.integer({ min: 1, max: 20 }),
      }),
      gaps,
      (limit, gapsMs) => {
        let nowMs = START_MS;
        const timesMs = gapsMs.map((gapMs) => (nowMs += gapMs));
        const decisions = runRequests(limit, timesMs);
        const allowed = decisions.filter((decision) => decision.allowed).length;
        const elapsedS = (nowMs - (timesMs[0] as number)) / 1000;
        expect(allowed).toBeLessThanOrEqual(
          Math.floor(limit.burst + elapsedS * limit.requests_per_second + 1e-6),
        );
      },
    ),
  );
});

test('the rate limit allows a request again at the announced time, and not before', () => {
  const limit = { requests_per_second: 4, burst: 2 };
  const [, , rejected] = runRequests(limit, [START_MS, START_MS, START_MS]);
  expect(rejected).toMatchObject({ allowed: false, remaining: 0, retryInMs: 250, refilledInMs: 500 });
  const bucket = rejected?.bucket;
  expect(decideByGcra(limit, bucket, START_MS + 249).allowed).toBe(false);
  expect(decideByGcra(limit, bucket, START_MS + 250).allowed).toBe(true);
});

test('the rate limit rejects for at most one refill after the clock is set back by an hour', () => {
  const limit = { requests_per_second: 1, burst: 5 };
  const [decision] = runRequests(limit, [START_MS]);
  const setBackMs = START_MS - 3_600_000;
  expect(decideByGcra(limit, decision?.bucket, setBackMs).retryInMs).toBeLessThanOrEqual(5_000);
});

test('the rate limit is sent as structured fields: the burst, the seconds to refill it, what remains, and the reset time', () => {
  const limit = { requests_per_second: 100, burst: 200 };
  const [first] = runRequests(limit, [START_MS]);
  const decision = first as NonNullable<typeof first>;
  expect(rateLimitHeaders([{ name: 'application', limit, decision }])).toEqual({
    'ratelimit-policy': '"application";q=200;w=2',
    ratelimit: '"application";r=199;t=1',
  });
});
