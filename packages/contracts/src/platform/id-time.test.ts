import { expect, it, vi } from 'vitest';
import { timesOfIds } from './id-time.ts';
import { newId } from './ids.ts';

it('the times of ids that begin like an id include the time of that id, and narrow to its millisecond', () => {
  vi.useFakeTimers({ now: new Date('2026-11-26T08:00:00.123Z') });
  const id = newId('payment');
  const at = new Date();
  vi.useRealTimers();
  let earlierMs = Number.POSITIVE_INFINITY;
  for (let length = 'pay_'.length + 1; length <= id.length; length += 1) {
    const { first, last } = timesOfIds('payment', id.slice(0, length)) ?? {};
    expect(first?.getTime()).toBeLessThanOrEqual(at.getTime());
    expect(last?.getTime()).toBeGreaterThanOrEqual(at.getTime());
    const spanMs = Number(last) - Number(first);
    expect(spanMs).toBeLessThanOrEqual(earlierMs);
    earlierMs = spanMs;
  }
  expect(timesOfIds('payment', id)).toEqual({ first: at, last: at });
});

it.each(['', 'pay', 'pay_', 'pay_8', 'pay_0u', 'key_0', 'pay_0Z', `pay_${'0'.repeat(27)}`])(
  'no payment has an id that begins with %j',
  (text) => {
    expect(timesOfIds('payment', text)).toBeNull();
  },
);
