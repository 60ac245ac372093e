import { expect, it } from 'vitest';
import { apiTime, beginningOf, endOf, localMinute } from './zoned-time.ts';

const text = (instant: ReturnType<typeof beginningOf>) => (instant === null ? null : apiTime(instant));

it('a day of the viewer begins and ends at midnight in their time zone', () => {
  expect(text(beginningOf('2026-11-21', '', 'Europe/Berlin'))).toBe('2026-11-20T23:00:00.000Z');
  expect(text(endOf('2026-11-21', '', 'Europe/Berlin'))).toBe('2026-11-21T23:00:00.000Z');
});

it('a day of the viewer has 23 hours when the clocks go forward', () => {
  expect(text(beginningOf('2026-03-29', '', 'Europe/Berlin'))).toBe('2026-03-28T23:00:00.000Z');
  expect(text(endOf('2026-03-29', '', 'Europe/Berlin'))).toBe('2026-03-29T22:00:00.000Z');
});

it('a day of the viewer can be narrowed to the minute', () => {
  expect(text(beginningOf('2026-11-21', '14:05', 'Asia/Tokyo'))).toBe('2026-11-21T05:05:00.000Z');
  expect(text(endOf('2026-11-21', '14:05', 'Asia/Tokyo'))).toBe('2026-11-21T05:05:00.000Z');
});

it.each([
  ['2026-02-31', ''],
  ['0000-01-01', ''],
  ['21.11.2026', ''],
  ['2026-11-21', '25:00'],
  ['2026-11-21', 'noon'],
  ['', '14:00'],
])('a day of the viewer is rejected as %j %j', (date, time) => {
  expect(beginningOf(date, time, 'UTC')).toBeNull();
  expect(endOf(date, time, 'UTC')).toBeNull();
});

it("an instant is rounded down to the minute in the viewer's time zone", () => {
  expect(localMinute('2026-07-01T22:59:59.999Z', 'Europe/Berlin')).toBe('2026-07-02T00:59');
  expect(beginningOf('2026-07-02', '00:59', 'Europe/Berlin')?.toString()).toBe('2026-07-01T22:59:00Z');
});
