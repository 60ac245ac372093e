import { afterEach, expect, it } from 'vitest';
import { provideLocale } from '#lib/format/locale.ts';
import { rangeBetween, rangeOfPeriod, STEP_MS, timesOf, type UsageSpan } from '../usage/usage-range.ts';
import { timeAxis } from './time-axis.ts';

const NOW = Date.parse('2026-11-21T07:08:09Z');
const axisOf = (span: UsageSpan, timeZone: string) =>
  timeAxis(timesOf(span), { stepMs: STEP_MS[span.granularity], timeZone, nowMs: NOW });
const texts = ({ ticks }: ReturnType<typeof axisOf>) => ticks.map(({ text }) => text);

afterEach(() => provideLocale(() => 'en-GB'));

it("the columns of a chart are hours in the viewer's time zone, and mark the current hour as incomplete", () => {
  const axis = axisOf(rangeOfPeriod('24h', NOW), 'Asia/Tokyo');
  const { columns } = axis;
  expect(columns).toHaveLength(24);
  expect(columns[0]).toEqual({ at: '2026-11-20T08:00:00.000Z', label: 'Fri 20 Nov, 17:00' });
  expect(columns.at(-1)?.label).toBe('Sat 21 Nov, 16:00, so far');
  expect(texts(axis)).toEqual(['18:00', '21:00', '00:00', '03:00', '06:00', '09:00', '12:00', '15:00']);
});

it('the columns of a chart are days in UTC, with labels that say so', () => {
  const axis = axisOf(rangeOfPeriod('30d', NOW), 'Asia/Tokyo');
  expect(axis.columns[0]?.label).toBe('23 Oct 2026 (UTC)');
  expect(texts(axis)).toEqual(['23 Oct', '27 Oct', '31 Oct', '4 Nov', '8 Nov', '12 Nov', '16 Nov', '20 Nov']);
});

it.each([
  ['an hour', rangeOfPeriod('1h', NOW), ['07:10', '07:20', '07:30', '07:40', '07:50', '08:00']],
  [
    'a week',
    rangeOfPeriod('7d', NOW),
    ['15 Nov', '16 Nov', '17 Nov', '18 Nov', '19 Nov', '20 Nov', '21 Nov'],
  ],
  [
    'three days',
    rangeBetween(NOW - 3 * 86_400_000, NOW, NOW),
    ['12:00', '19 Nov', '12:00', '20 Nov', '12:00', '21 Nov'],
  ],
] as const)('the columns of a chart of %s have ticks at round times', (_, range, expected) => {
  expect(range && texts(axisOf(range, 'Europe/Berlin'))).toEqual(expected);
});

it.each(['UTC', 'Asia/Kolkata', 'Europe/Berlin'])(
  'the columns of a chart of any range have two to nine ticks in %s',
  (zone) => {
    for (const hours of [1, 2, 5, 7, 12, 30, 40, 24 * 9, 24 * 34, 24 * 400, 24 * 1_900]) {
      const range = rangeBetween(NOW - hours * 3_600_000, NOW, NOW);
      if (range === null) throw new Error('no range');
      const { length } = texts(axisOf(range, zone));
      expect(length, `${hours} h`).toBeGreaterThanOrEqual(2);
      expect(length, `${hours} h`).toBeLessThanOrEqual(9);
    }
  },
);

it('the ticks of a chart follow the clock of the locale: full hours of a 12-hour clock have no minutes', () => {
  provideLocale(() => 'en-US');
  expect(texts(axisOf(rangeOfPeriod('24h', NOW), 'UTC')).slice(0, 3)).toEqual(['9 AM', '12 PM', '3 PM']);
  expect(texts(axisOf(rangeOfPeriod('1h', NOW), 'UTC')).at(-1)).toBe('7 AM');
  provideLocale(() => 'de-DE');
  expect(texts(axisOf(rangeOfPeriod('24h', NOW), 'UTC')).slice(0, 3)).toEqual(['09:00', '12:00', '15:00']);
});
