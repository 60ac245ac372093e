import { expect, test } from 'vitest';
import { daysOf } from './payment-period.ts';

test.each([
  ['today', '2026-03-01T04:00:00Z', 'UTC', '2026-03-01', '2026-03-01'],
  ['today', '2026-03-01T04:00:00Z', 'America/New_York', '2026-02-28', '2026-02-28'],
  ['month', '2026-02-10T04:00:00Z', 'UTC', '2026-02-01', '2026-02-28'],
  ['last_month', '2026-01-31T20:00:00Z', 'Asia/Kathmandu', '2026-01-01', '2026-01-31'],
  ['last_month', '2026-03-31T20:00:00Z', 'UTC', '2026-02-01', '2026-02-28'],
] as const)('the period %s at %s in %s is from %s to %s', (period, now, timeZone, from, to) => {
  expect(daysOf(period, Date.parse(now), timeZone)).toEqual({ from, to });
});
