import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PACE = { delayMs: 100, everyMs: 1_000 };

it('calls at the same time share one run after the delay', async () => {
  const run = vi.fn(async () => {});
  const throttled = throttle(run, PACE);
  for (let call = 0; call < 50; call += 1) throttled();
  await vi.advanceTimersByTimeAsync(99);
  expect(run).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(run).toHaveBeenCalledTimes(1);
});

it('continuous calls cause one run per interval, and the last call is not lost', async () => {
  const run = vi.fn(async () => {});
  const throttled = throttle(run, PACE);
  const calls = setInterval(throttled, 10);
  await vi.advanceTimersByTimeAsync(5_000);
  clearInterval(calls);
  expect(run).toHaveBeenCalledTimes(5);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(run).toHaveBeenCalledTimes(6);
});

it('a slow run never overlaps with the next', async () => {
  let running = 0;
  let most = 0;
  const throttled = throttle(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    running -= 1;
  }, PACE);
  const calls = setInterval(throttled, 10);
  await vi.advanceTimersByTimeAsync(20_000);
  clearInterval(calls);
  expect(most).toBe(1);
});

it('a failed run does not prevent later runs', async () => {
  const run = vi.fn(async () => {
    throw new Error('the server is unavailable');
  });
  const throttled = throttle(() => run().catch(() => {}), PACE);
  throttled();
  await vi.advanceTimersByTimeAsync(2_000);
  throttled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(run).toHaveBeenCalledTimes(2);
});

it('a canceled run does not start', async () => {
  const run = vi.fn(async () => {});
  const throttled = throttle(run, PACE);
  throttled();
  throttled.cancel();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(run).not.toHaveBeenCalled();
});
