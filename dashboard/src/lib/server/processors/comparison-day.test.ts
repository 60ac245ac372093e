import { expect, test } from 'vitest';
import { newestDay, readComparisonDay } from './comparison-day.ts';

const NOW_MS = Date.parse('2026-03-02T01:00:00Z');

test('readComparisonDay returns the days before and after', () => {
  expect(readComparisonDay('2026-02-28', NOW_MS)).toEqual({
    day: '2026-02-28',
    previous: '2026-02-27',
    next: '2026-03-01',
  });
});

test('readComparisonDay returns no day after the newest one that can have been compared', () => {
  expect(readComparisonDay('2026-03-01', NOW_MS)?.next).toBeNull();
  expect(readComparisonDay('2026-02-28', NOW_MS - 1)?.next).toBeNull();
});

test.each(['', 'today', '2026-2-1', '2026-02-30', '2026-13-01', '2026-02-28T00:00:00Z'])(
  'readComparisonDay returns null for "%s"',
  (text) => expect(readComparisonDay(text, NOW_MS)).toBeNull(),
);

test('newestDay is the day that ended an hour ago or earlier', () => {
  expect(newestDay(NOW_MS)).toBe('2026-03-01');
  expect(newestDay(NOW_MS - 1)).toBe('2026-02-28');
});
