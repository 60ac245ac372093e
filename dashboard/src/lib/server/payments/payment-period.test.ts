import { expect, test } from 'vitest';
import { readFilters } from '../list/read-filters.ts';
import { periodFilter, periodText } from './payment-period.ts';

const read = (query: string, now: string, timeZone: string) => {
  const filter = periodFilter(() => Date.parse(now));
  return readFilters([filter], new URLSearchParams(query), timeZone);
};

test.each([
  ['today', '2026-03-01T04:00:00Z', 'UTC', '2026-03-01', '2026-03-01'],
  ['today', '2026-03-01T04:00:00Z', 'America/New_York', '2026-02-28', '2026-02-28'],
  ['month', '2026-02-10T04:00:00Z', 'UTC', '2026-02-01', '2026-02-28'],
  ['last_month', '2026-01-31T20:00:00Z', 'Asia/Kathmandu', '2026-01-01', '2026-01-31'],
  ['last_month', '2026-03-31T20:00:00Z', 'UTC', '2026-02-01', '2026-02-28'],
])('the period %s at %s in %s is from %s to %s', (period, now, timeZone, from, to) => {
  const named = read(`period=${period}`, now, timeZone);
  expect(named.request).toEqual(read(`from=${from}&to=${to}`, now, timeZone).request);
  expect(periodText(named.values, Date.parse(now), timeZone)).toBe(`from-${from}-to-${to}`);
});

test('a period by success is one of the time at which payments succeeded, in the zone of the member', () => {
  const { request, values } = read('period=last_month&by=success', '2026-11-05T12:00:00Z', 'Europe/Berlin');
  expect(request).toEqual({
    succeeded_from: '2026-09-30T22:00:00.000Z',
    succeeded_to: '2026-10-31T23:00:00.000Z',
  });
  expect(periodText(values, Date.parse('2026-11-05T12:00:00Z'), 'Europe/Berlin')).toBe(
    'from-2026-10-01-to-2026-10-31-by-success',
  );
});

test.each([
  ['period=year', 'period'],
  ['period=today&from=2026-01-01', 'period'],
  ['by=weight', 'by'],
])('a period with %s is rejected at the field %s', (query, field) => {
  expect(Object.keys(read(query, '2026-11-05T12:00:00Z', 'UTC').errors)).toEqual([field]);
});

test('a file without a period has none in its name', () => {
  expect(periodText(new URLSearchParams('by=success'), 0, 'UTC')).toBe('');
  expect(periodText(new URLSearchParams('from=2026-01-01'), 0, 'UTC')).toBe('from-2026-01-01');
});
