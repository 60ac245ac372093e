import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDelayMs } from '../deliveries/delivery.ts';
import {
  afterFailure,
  afterSuccess,
  BREAKER_THRESHOLD,
  DISABLE_AFTER_MS,
  type EndpointHealth,
  FAILING_SPAN_MS,
  HEALTHY,
  isPaused,
  isProbing,
  MAX_PAUSE_MS,
  WARN_BEFORE_MS,
} from './endpoint-health.ts';

type Step = { kind: 'succeeded' | 'error-response' | 'no-connection'; afterMs: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('succeeded', 'error-response', 'error-response', 'no-connection'),
  afterMs: fc.integer({ min: 0, max: 30 * HOUR_MS }),
});

it('the disable policy disables after exactly 5 days of failures, counted from the first failure 12 hours after the initial one, and warns a day before', () => {
  const clock = createFakeClock(0);
  let health: EndpointHealth = HEALTHY;
  const actions: [string, number][] = [];
  for (let hour = 0; hour <= 24 * 6; hour += 1) {
    clock.set(hour * HOUR_MS);
    const after = afterFailure(health, 'error-response', clock.now());
    health = after.health;
    if (after.action !== 'none') actions.push([after.action, clock.now()]);
    if (after.action === 'disable') break;
  }
  const clockSince = FAILING_SPAN_MS;
  expect(actions).toEqual([
    ['warn', clockSince + DISABLE_AFTER_MS - WARN_BEFORE_MS],
    ['disable', clockSince + DISABLE_AFTER_MS],
  ]);
});

it('the disable policy never starts its clock for failures that are less than 12 hours apart', () => {
  const first = afterFailure(HEALTHY, 'error-response', 0).health;
  expect(afterFailure(first, 'error-response', FAILING_SPAN_MS - 1).health.clockSince).toBeNull();
  expect(afterFailure(first, 'error-response', FAILING_SPAN_MS).health.clockSince).toBe(FAILING_SPAN_MS);
});

it('the disable policy does not disable an endpoint for one delivery that fails for all 75 hours', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 9, maxLength: 9 }),
      (randoms) => {
        const clock = createFakeClock(0);
        let health: EndpointHealth = HEALTHY;
        for (let failures = 1; failures <= 10; failures += 1) {
          const after = afterFailure(health, 'error-response', clock.now());
          expect(after.action).not.toBe('disable');
          health = after.health;
          clock.advance(nextDelayMs('live', failures, null, randoms[failures - 1] ?? 0) ?? 0);
        }
      },
    ),
  );
});

it('the disable policy disables only after 5 days without a success and warns once before, over any history; a success resets it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = createFakeClock(0);
      let health: EndpointHealth = HEALTHY;
      let lastSuccess = Number.NEGATIVE_INFINITY;
      let firstFailure: number | null = null;
      let warnings = 0;
      for (const { kind, afterMs } of steps) {
        clock.advance(afterMs);
        if (kind === 'succeeded') {
          health = afterSuccess(clock.now());
          lastSuccess = clock.now();
          firstFailure = null;
          warnings = 0;
          expect(health).toEqual({ ...HEALTHY, lastSuccessAt: clock.now() });
          continue;
        }
        firstFailure ??= clock.now();
        const { health: next, action } = afterFailure(health, kind, clock.now());
        if (action === 'warn') warnings += 1;
        expect(warnings).toBeLessThanOrEqual(1);
        if (action === 'disable') {
          expect(clock.now() - firstFailure).toBeGreaterThanOrEqual(FAILING_SPAN_MS + DISABLE_AFTER_MS);
          expect(clock.now() - lastSuccess).toBeGreaterThan(5 * DAY_MS);
          return;
        }
        expect(next.failingSince).toBe(firstFailure);
        health = next;
      }
    }),
  );
});

it('the breaker opens after five consecutive connection failures; any response in between resets the count', () => {
  let health: EndpointHealth = HEALTHY;
  for (let count = 1; count < BREAKER_THRESHOLD; count += 1)
    health = afterFailure(health, 'no-connection', 0).health;
  expect(isPaused(health, 0)).toBe(false);
  expect(isPaused(afterFailure(health, 'no-connection', 0).health, 0)).toBe(true);
  const answered = afterFailure(health, 'error-response', 0).health;
  expect(isPaused(afterFailure(answered, 'no-connection', 0).health, 0)).toBe(false);
});

it('the breaker pauses 30 s, then twice as long after each failed probe, up to 5 minutes, and closes with the first response', () => {
  const clock = createFakeClock(0);
  let health: EndpointHealth = { ...HEALTHY, connectionFailures: BREAKER_THRESHOLD - 1 };
  const pauses: number[] = [];
  for (let probe = 0; probe < 6; probe += 1) {
    health = afterFailure(health, 'no-connection', clock.now()).health;
    expect(isProbing(health)).toBe(true);
    pauses.push((health.pausedUntil ?? 0) - clock.now());
    clock.set(health.pausedUntil ?? 0);
    expect(isPaused(health, clock.now())).toBe(false);
  }
  expect(pauses.map((ms) => ms / 1000)).toEqual([30, 60, 120, 240, 300, 300]);
  const answered = afterFailure(health, 'error-response', clock.now()).health;
  expect(isProbing(answered)).toBe(false);
  expect(isPaused(answered, clock.now())).toBe(false);
});

it('the breaker never pauses longer than 5 minutes nor lengthens a running pause, over any history', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ afterMs: fc.nat(20 * 60_000) }), { maxLength: 40 }), (steps) => {
      const clock = createFakeClock(0);
      let health: EndpointHealth = HEALTHY;
      for (const { afterMs } of steps) {
        clock.advance(afterMs);
        const wasPausedUntil = isPaused(health, clock.now()) ? health.pausedUntil : null;
        health = afterFailure(health, 'no-connection', clock.now()).health;
        if (wasPausedUntil !== null) expect(health.pausedUntil).toBe(wasPausedUntil);
        if (health.pausedUntil !== null)
          expect(health.pausedUntil - clock.now()).toBeLessThanOrEqual(MAX_PAUSE_MS);
      }
    }),
  );
});
