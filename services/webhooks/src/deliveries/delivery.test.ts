import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { RETRY_JITTER, RETRY_STEPS_MS } from '@tollgate/contracts/webhooks/retry-schedule';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDelayMs } from './delivery.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('the retry schedule is ten attempts over about 75 hours in live, with the documented delays', () => {
  const clock = createFakeClock(0);
  const attemptsAt = [clock.now()];
  for (let failures = 1; ; failures++) {
    const delayMs = nextDelayMs('live', failures, null, 0.5);
    if (delayMs === null) break;
    clock.advance(delayMs);
    attemptsAt.push(clock.now());
  }
  const pauses = attemptsAt.slice(1).map((at, index) => at - (attemptsAt[index] ?? 0));
  expect(pauses.map((ms) => ms / 1000)).toEqual([
    5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ]);
  expect(attemptsAt).toHaveLength(10);
  expect(Math.floor(clock.now() / HOUR_MS)).toBe(75);
});

it('the retry schedule is three attempts within minutes in the sandbox', () => {
  expect([1, 2, 3].map((failures) => nextDelayMs('sandbox', failures, null, 0.5))).toEqual([
    5_000,
    120_000,
    null,
  ]);
});

it('the retry schedule ends within 20 % of 75.6 hours for any jitter, with each delay within 20 % of its step', () => {
  fc.assert(
    fc.property(fc.array(random, { minLength: 9, maxLength: 9 }), (randoms) => {
      const clock = createFakeClock(0);
      randoms.forEach((value, index) => {
        const stepMs = RETRY_STEPS_MS.live[index] as number;
        const delayMs = nextDelayMs('live', index + 1, null, value) as number;
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(stepMs * (1 - RETRY_JITTER)));
        expect(delayMs).toBeLessThanOrEqual(Math.ceil(stepMs * (1 + RETRY_JITTER)));
        clock.advance(delayMs);
      });
      expect(nextDelayMs('live', 10, null, 0)).toBeNull();
      const total = RETRY_STEPS_MS.live.reduce((sum, stepMs) => sum + stepMs, 0);
      expect(Math.abs(clock.now() - total)).toBeLessThanOrEqual(total * RETRY_JITTER + 10);
    }),
  );
});

it('the retry schedule uses the full range of the jitter', () => {
  expect(nextDelayMs('live', 1, null, 0)).toBe(4_000);
  expect(nextDelayMs('live', 1, null, 0.999_999)).toBe(6_000);
});

it('the retry schedule honors Retry-After between the step and twice the step, without extra attempts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(10 ** 9), random, (failures, retryAfterMs, value) => {
      const delayMs = nextDelayMs('live', failures, retryAfterMs, value);
      const stepMs = RETRY_STEPS_MS.live[failures - 1];
      if (stepMs === undefined) expect(delayMs).toBeNull();
      else expect(delayMs).toBe(Math.min(Math.max(retryAfterMs, stepMs), 2 * stepMs));
    }),
  );
});
