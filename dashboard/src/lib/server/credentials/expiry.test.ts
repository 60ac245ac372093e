import { expect, it } from 'vitest';
import { dayIn } from '../zoned-time.ts';
import { endOfDay } from './restrictions.ts';

it.each([
  ['2026-11-21', 'UTC', '2026-11-21T23:59:59.999Z'],
  ['2026-11-21', 'Asia/Kolkata', '2026-11-21T18:29:59.999Z'],
  ['2026-11-21', 'America/Los_Angeles', '2026-11-22T07:59:59.999Z'],
  // The days on which Berlin's clocks go forward and back.
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
  ['2026-12-31', 'UTC', '2026-12-31T23:59:59.999Z'],
])('the expiry of a key is the end of %s in %s', (day, timeZone, at) => {
  expect(endOfDay(day, timeZone)).toBe(at);
});

it.each(['2026-02-30', '21.11.2026', 'soon', '', '2026-13-01'])(
  'the expiry of a key is null for "%s"',
  (day) => {
    expect(endOfDay(day, 'UTC')).toBeNull();
  },
);

it('the expiry of a key is today in the given time zone at the earliest', () => {
  const now = Date.parse('2026-11-21T23:30:00Z');
  expect(dayIn('UTC', now)).toBe('2026-11-21');
  expect(dayIn('Asia/Tokyo', now)).toBe('2026-11-22');
});
