import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../deliveries/delivery.ts';
import {
  BASE_CONCURRENCY,
  type ConcurrencyLimit,
  initialLimit,
  type LoadSignal,
  loadSignal,
  nextLimit,
} from './concurrency-limit.ts';

const MAX = 25;
const FAST_MS = 200;

/** An endpoint with a backlog: every round, as many attempts as the limit allows start and end together. */
function anEndpoint() {
  let state = initialLimit(MAX);
  let now = 0;
  const limit = () => Math.floor(state.limit);
  function round(signal: LoadSignal, durationMs = FAST_MS): void {
    const inFlight = limit();
    const startedAt = now;
    now += durationMs;
    for (let count = 0; count < inFlight; count += 1)
      state = nextLimit(state, { signal, startedAt, endedAt: now, durationMs, inFlight }, MAX);
  }
  function rounds(count: number, signal: LoadSignal, durationMs?: number): number[] {
    return Array.from({ length: count }, () => {
      round(signal, durationMs);
      return limit();
    });
  }
  return { limit, rounds };
}

it('the concurrency limit of an endpoint starts at five, or at a lower maximum', () => {
  expect(initialLimit(MAX).limit).toBe(BASE_CONCURRENCY);
  expect(initialLimit(2).limit).toBe(2);
});

it('the concurrency limit of an endpoint rises by about one per round of successes, up to the maximum', () => {
  const { rounds } = anEndpoint();
  const limits = rounds(40, 'succeeded');
  for (const [index, limit] of limits.entries())
    expect(limit - (limits[index - 1] ?? BASE_CONCURRENCY)).toBeLessThanOrEqual(1);
  expect(limits.at(-1)).toBe(MAX);
});

it('the concurrency limit of an endpoint is halved once per round of failures, down to one, and recovers', () => {
  const { rounds } = anEndpoint();
  rounds(40, 'succeeded');
  expect(rounds(6, 'overloaded')).toEqual([12, 6, 3, 1, 1, 1]);
  expect(rounds(40, 'succeeded').at(-1)).toBe(MAX);
});

it('the concurrency limit of an endpoint does not rise while attempts are fewer than the limit', () => {
  const before = { ...initialLimit(MAX), limit: 8 };
  const attempt = { signal: 'succeeded', startedAt: 0, endedAt: FAST_MS, durationMs: FAST_MS } as const;
  expect(nextLimit(before, { ...attempt, inFlight: 7 }, MAX).limit).toBe(8);
  expect(nextLimit(before, { ...attempt, inFlight: 8 }, MAX).limit).toBe(8.125);
});

it('the concurrency limit of an endpoint falls while responses take more than twice as long as under a low load, but not below five', () => {
  const { rounds } = anEndpoint();
  rounds(10, 'succeeded');
  const limits = rounds(2, 'succeeded', 2 * FAST_MS + 1);
  expect(limits[1]).toBeLessThan(limits[0] as number);
  expect(rounds(40, 'succeeded', 2 * FAST_MS + 1)).toContain(BASE_CONCURRENCY);
});

it('the concurrency limit of an endpoint settles where a receiver that handles eight requests at once becomes twice as slow', () => {
  const { rounds, limit } = anEndpoint();
  const capacity = 8;
  for (let count = 0; count < 200; count += 1)
    rounds(1, 'succeeded', FAST_MS * Math.max(1, limit() / capacity));
  expect(limit()).toBeGreaterThanOrEqual(2 * capacity - 1);
  expect(limit()).toBeLessThanOrEqual(2 * capacity + 1);
});

it('the concurrency limit of an endpoint rises again after an endpoint has become slower permanently', () => {
  const { rounds } = anEndpoint();
  rounds(40, 'succeeded');
  rounds(40, 'succeeded', 5 * FAST_MS);
  expect(rounds(80, 'succeeded', 5 * FAST_MS).at(-1)).toBe(MAX);
});

it('the concurrency limit of an endpoint ignores differences below 100 ms', () => {
  const { rounds } = anEndpoint();
  rounds(5, 'succeeded', 2);
  expect(rounds(40, 'succeeded', 99).at(-1)).toBe(MAX);
});

it('the concurrency limit of an endpoint does not change with an attempt that says nothing about the load', () => {
  const { rounds } = anEndpoint();
  expect(rounds(5, 'none')).toEqual([5, 5, 5, 5, 5]);
});

it('the concurrency limit of an endpoint stays between one and the maximum over any history', () => {
  const attempt = fc.record({
    signal: fc.constantFrom<LoadSignal>('succeeded', 'overloaded', 'none'),
    startedAt: fc.nat(1_000),
    durationMs: fc.nat(20_000),
    inFlight: fc.integer({ min: 1, max: 100 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(attempt), (max, attempts) => {
      let state: ConcurrencyLimit = initialLimit(max);
      for (const one of attempts) {
        state = nextLimit(state, { ...one, endedAt: one.startedAt + one.durationMs }, max);
        expect(state.limit).toBeGreaterThanOrEqual(1);
        expect(state.limit).toBeLessThanOrEqual(max);
      }
    }),
  );
});

describe('the load signal of an attempt', () => {
  const signalOf = (code: string, status?: number) =>
    loadSignal({ error: { code }, response: status === undefined ? null : { status } } as Attempt);

  it('the load signal of an attempt is overloaded without a complete response', () => {
    for (const code of ['timeout', 'connection', 'dns', 'tls']) expect(signalOf(code)).toBe('overloaded');
  });

  it('the load signal of an attempt is overloaded for 429 and 5xx', () => {
    for (const status of [429, 500, 503]) expect(signalOf('status', status)).toBe('overloaded');
  });

  it('the load signal of an attempt is none when nothing was sent, or when the endpoint rejected the request itself', () => {
    for (const code of ['refused', 'event-gone', 'protocol']) expect(signalOf(code)).toBe('none');
    for (const status of [302, 404, 410]) expect(signalOf('status', status)).toBe('none');
  });

  it('the load signal of an attempt is succeeded without an error', () => {
    expect(loadSignal({ error: null, response: null })).toBe('succeeded');
  });
});
