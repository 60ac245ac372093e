import { describe, expect, it } from 'vitest';
import {
  comparableBefore,
  LONGEST_RANGE_DAYS,
  previousOf,
  rangeBetween,
  rangeOfPeriod,
  requestOf,
  timesOf,
} from './usage-range.ts';

const NOW = Date.parse('2026-11-21T07:08:09.123Z');
const at = (time: string) => Date.parse(time);
const said = (range: { granularity: string; fromMs: number; toMs: number } | null) =>
  range &&
  `${range.granularity} ${new Date(range.fromMs).toISOString()} ${new Date(range.toMs).toISOString()}`;

describe('the range of a period', () => {
  it.each([
    ['1h', 'minute 2026-11-21T06:09:00.000Z 2026-11-21T07:09:00.000Z', 60],
    ['24h', 'hour 2026-11-20T08:00:00.000Z 2026-11-21T08:00:00.000Z', 24],
    ['7d', 'hour 2026-11-14T08:00:00.000Z 2026-11-21T08:00:00.000Z', 168],
    ['30d', 'day 2026-10-23T00:00:00.000Z 2026-11-22T00:00:00.000Z', 30],
  ] as const)('%s ends with the current minute, hour or day', (period, expected, columns) => {
    const range = rangeOfPeriod(period, NOW);
    expect(said(range)).toBe(expected);
    expect(timesOf(range)).toHaveLength(columns);
  });

  it('the range of a period uses the requested granularity where possible, and otherwise the finest readable one', () => {
    expect(rangeOfPeriod('24h', NOW, 'minute').granularity).toBe('minute');
    expect(rangeOfPeriod('30d', NOW, 'hour').granularity).toBe('hour');
    expect(rangeOfPeriod('7d', NOW, 'minute').granularity).toBe('hour');
    expect(rangeOfPeriod('1h', NOW, 'day').granularity).toBe('minute');
  });

  it.each([
    ['1h', ['minute']],
    ['24h', ['minute', 'hour']],
    ['7d', ['hour', 'day']],
    ['30d', ['hour', 'day']],
  ] as const)('%s offers the granularities with more than one column', (period, granularities) => {
    expect(rangeOfPeriod(period, NOW).granularities).toEqual(granularities);
  });
});

describe('a custom range', () => {
  const between = (from: string, to: string) => said(rangeBetween(at(from), at(to), NOW));

  it('a custom range has minutes, hours or days depending on its length', () => {
    expect(between('2026-11-20T10:02:30Z', '2026-11-20T12:00Z')).toBe(
      'minute 2026-11-20T10:02:00.000Z 2026-11-20T12:00:00.000Z',
    );
    expect(between('2026-11-18T10:02Z', '2026-11-20T12:00:01Z')).toBe(
      'hour 2026-11-18T10:00:00.000Z 2026-11-20T13:00:00.000Z',
    );
    expect(between('2026-09-01T10:00Z', '2026-11-20T12:00Z')).toBe(
      'day 2026-09-01T00:00:00.000Z 2026-11-21T00:00:00.000Z',
    );
  });

  it('a custom range uses a granularity that is still retained for the range and the period before it', () => {
    expect(between('2026-10-10T10:00Z', '2026-10-10T11:00Z')).toMatch(/^hour /);
    expect(between('2025-10-10T10:00Z', '2025-10-10T11:00Z')).toBe(
      'day 2025-10-10T00:00:00.000Z 2025-10-11T00:00:00.000Z',
    );
  });

  it('a custom range excludes the future', () => {
    expect(between('2026-11-21T05:00Z', '2026-11-23T00:00Z')).toBe(
      'minute 2026-11-21T05:00:00.000Z 2026-11-21T07:09:00.000Z',
    );
    expect(between('2026-11-22T05:00Z', '2026-11-23T00:00Z')).toBeNull();
  });

  it('a custom range is limited to the length of one query', () => {
    const longest = rangeBetween(NOW - LONGEST_RANGE_DAYS * 86_400_000, NOW, NOW);
    expect(longest && timesOf(longest).length).toBe(2_000);
    expect(rangeBetween(NOW - (LONGEST_RANGE_DAYS + 1) * 86_400_000, NOW, NOW)).toBeNull();
  });
});

it('the previous period has as many columns as the range, and ends where the range begins', () => {
  expect(said(previousOf(rangeOfPeriod('24h', NOW)))).toBe(
    'hour 2026-11-19T08:00:00.000Z 2026-11-20T08:00:00.000Z',
  );
});

it('the previous period is compared up to the same point of the current hour, by minute where minutes are retained', () => {
  expect(said(comparableBefore(rangeOfPeriod('24h', NOW), NOW))).toBe(
    'minute 2026-11-19T08:00:00.000Z 2026-11-20T07:09:00.000Z',
  );
  expect(said(comparableBefore(rangeOfPeriod('30d', NOW), NOW))).toBe(
    'hour 2026-09-23T00:00:00.000Z 2026-10-22T08:00:00.000Z',
  );
});

it('the previous period is compared in full when the range is over', () => {
  const range = rangeBetween(at('2026-11-20T10:00Z'), at('2026-11-20T12:00Z'), NOW);
  expect(range && said(comparableBefore(range, NOW))).toBe(
    'minute 2026-11-20T08:00:00.000Z 2026-11-20T10:00:00.000Z',
  );
});

it('a request covers the range from the start of its first to the end of its last column', () => {
  expect(requestOf(rangeOfPeriod('24h', NOW))).toEqual({
    granularity: 'hour',
    from: '2026-11-20T08:00:00.000Z',
    to: '2026-11-21T08:00:00.000Z',
  });
});
