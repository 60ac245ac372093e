import { expect, it } from 'vitest';
import { DAY_MS } from './durations.ts';
import { dueExpiryNotice } from './expiry.ts';

const created_at = new Date('2026-01-01T00:00:00Z');
const expires_at = new Date('2026-03-01T00:00:00Z');
const daysBefore = (days: number) => new Date(expires_at.getTime() - days * DAY_MS);
const lived = { created_at, expires_at };

it('an expiry notice is due seven days and one day before the expiry, once each', () => {
  expect(dueExpiryNotice(lived, null, daysBefore(7.01))).toBeNull();
  const first = dueExpiryNotice(lived, null, daysBefore(7));
  expect(first).toEqual({ expires_at, days: 7 });
  expect(dueExpiryNotice(lived, first, daysBefore(1.01))).toBeNull();
  const last = dueExpiryNotice(lived, first, daysBefore(1));
  expect(last).toEqual({ expires_at, days: 1 });
  expect(dueExpiryNotice(lived, last, daysBefore(0.01))).toBeNull();
  expect(dueExpiryNotice(lived, last, expires_at)).toBeNull();
});

it('an expiry notice is only the last one when the first is late', () => {
  expect(dueExpiryNotice(lived, null, daysBefore(0.5))).toEqual({ expires_at, days: 1 });
});

it('an expiry notice is due again for another expiry', () => {
  const earlier = { expires_at: daysBefore(3), days: 1 };
  expect(dueExpiryNotice(lived, earlier, daysBefore(6))).toEqual({ expires_at, days: 7 });
});

it('an expiry notice is not due for a credential that was created for a shorter time', () => {
  const short = { created_at: daysBefore(5), expires_at };
  expect(dueExpiryNotice(short, null, daysBefore(5))).toBeNull();
  expect(dueExpiryNotice(short, null, daysBefore(1))).toEqual({ expires_at, days: 1 });
});
