import { expect, it } from 'vitest';
import { formatExactTime, formatTime, formatTimeAgo } from './time.ts';

const AT = '2026-11-21T13:05:07.123Z';
const later = (ms: number) => Date.parse(AT) + ms;

it("a time is shown in the viewer's time zone", () => {
  expect(formatTime(AT, 'UTC')).toBe('21 Nov 2026, 13:05');
  expect(formatTime(AT, 'Asia/Tokyo')).toBe('21 Nov 2026, 22:05');
  expect(formatTime(AT, 'Pacific/Kiritimati', 'date')).toBe('22 Nov 2026');
});

it('a time is exact on hover: milliseconds, time zone, and the text from the API', () => {
  expect(formatExactTime(AT, 'Europe/Berlin')).toContain('14:05:07.123');
  expect(formatExactTime(AT, 'Europe/Berlin')).toContain(AT);
});

it.each([
  [5_000, 'just now'],
  [4 * 60_000 + 59_000, '4 min ago'],
  [3 * 3_600_000, '3 h ago'],
  [25 * 3_600_000, '1 day ago'],
  [8 * 86_400_000, '21 Nov 2026'],
  [-2 * 3_600_000 - 1, 'in 2 h'],
])('a time is formatted %i ms later as "%s"', (ms, text) => {
  expect(formatTimeAgo(AT, later(ms), 'UTC')).toBe(text);
});
