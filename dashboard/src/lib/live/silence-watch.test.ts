import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSilenceWatch, OVER_AFTER_MS, SILENT_AFTER_MS } from './silence-watch.ts';

let happened: string[];

beforeEach(() => {
  happened = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const watch = () =>
  createSilenceWatch({
    onSilent: () => happened.push('silent'),
    onResumed: () => happened.push('resumed'),
    onOver: () => happened.push('over'),
  });

it('the silence watch says nothing while heartbeats arrive', () => {
  const { onHeartbeat } = watch();
  for (let beat = 0; beat < 10; beat += 1) {
    onHeartbeat();
    vi.advanceTimersByTime(SILENT_AFTER_MS - 1);
  }
  expect(happened).toEqual([]);
});

it('the silence watch reports silence before two seconds have passed, and that the stream continues', () => {
  const { onHeartbeat } = watch();
  onHeartbeat();
  vi.advanceTimersByTime(SILENT_AFTER_MS);
  expect(happened).toEqual(['silent']);
  onHeartbeat();
  expect(happened).toEqual(['silent', 'resumed']);
});

it('the silence watch reports after ten seconds that the stream is over', () => {
  const { onHeartbeat } = watch();
  onHeartbeat();
  vi.advanceTimersByTime(OVER_AFTER_MS);
  expect(happened).toEqual(['silent', 'over']);
});

it('the silence watch reports nothing without a first heartbeat, and nothing after it was stopped', () => {
  const { onHeartbeat, stop } = watch();
  vi.advanceTimersByTime(OVER_AFTER_MS);
  onHeartbeat();
  stop();
  vi.advanceTimersByTime(OVER_AFTER_MS);
  expect(happened).toEqual([]);
});
