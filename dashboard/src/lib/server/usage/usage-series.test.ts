import type { UsageRow, UsageTotal } from '@tollgate/contracts/usage/usage';
import { describe, expect, it } from 'vitest';
import type { ChartSeries } from '#lib/charts/chart.ts';
import { createChart } from '../charts/create-chart.ts';
import {
  errorRateSeries,
  latencySeries,
  previousSeries,
  rateLimitSeries,
  requestsSeries,
  rowsAt,
} from './usage-series.ts';

const NONE = {
  requests: 0,
  succeeded: 0,
  replayed: 0,
  client_errors: 0,
  rate_limited: 0,
  server_errors: 0,
  aborted: 0,
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
};
const row = (more: Partial<UsageRow>): UsageRow => ({ at: '2026-11-20T08:00:00.000Z', ...NONE, ...more });
const TOTAL: UsageTotal = NONE;
const drawn = (series: ChartSeries[]) =>
  series.filter(({ values }) => values.length > 0).map(({ tone, values }) => [tone, values]);
const lines = (series: ChartSeries[]) => {
  const axis = { columns: [{ at: '', label: '' }], ticks: [], stepMs: 1 };
  return createChart(axis, { title: '', axisTitle: '', series }).gridLines;
};

describe('the requests chart', () => {
  const busy = row({ requests: 12, succeeded: 7, client_errors: 2, server_errors: 3 });

  it('the requests chart stacks requests by outcome and omits outcomes that did not occur', () => {
    const series = [...requestsSeries([busy, null], TOTAL), ...previousSeries([null, null], TOTAL)];
    expect(drawn(series)).toEqual([
      ['succeeded', [7, 0]],
      ['client_error', [2, 0]],
      ['server_error', [3, 0]],
    ]);
    expect(lines(series)).toEqual(['0', '5', '10', '15', '20']);
  });

  it('the requests chart draws the previous period as a line, which the axis takes into account', () => {
    const previous = previousSeries([null, row({ requests: 70 })], TOTAL);
    expect(previous).toMatchObject([
      { tone: 'previous', label: 'Previous period', draws: 'line', values: [0, 70] },
    ]);
    expect(lines([...requestsSeries([busy, null], TOTAL), ...previous]).at(-1)).toBe('80');
  });

  it('the requests chart has an axis without requests', () => {
    expect(lines(requestsSeries([null], TOTAL))).toEqual(['0', '1', '2', '3', '4']);
  });
});

it('the error rate chart excludes rate-limited requests from the errors, and has gaps where there are no requests', () => {
  const rows = [row({ requests: 200, client_errors: 2, server_errors: 1, rate_limited: 50 }), null];
  const series = errorRateSeries(rows, TOTAL);
  expect(drawn(series)).toEqual([
    ['server_error', [0.005, null]],
    ['client_error', [0.01, null]],
  ]);
  expect(lines(series)).toEqual(['0%', '0.5%', '1%', '1.5%', '2%']);
});

it('the error rate chart ends at 100%', () => {
  expect(lines(errorRateSeries([row({ requests: 3, client_errors: 3 })], TOTAL))).toEqual([
    '0%',
    '25%',
    '50%',
    '75%',
    '100%',
  ]);
});

it('the latency chart draws lines with gaps where there are no requests', () => {
  const series = latencySeries([row({ requests: 1, p50_ms: 3.2, p95_ms: 70, p99_ms: 1_900 }), null], TOTAL);
  expect(drawn(series)).toEqual([
    ['p50', [3.2, null]],
    ['p95', [70, null]],
    ['p99', [1_900, null]],
  ]);
  expect(lines(series)).toEqual(['0 ms', '500 ms', '1 s', '1.5 s', '2 s']);
});

describe('the rate limit chart', () => {
  const rows = [row({ requests: 100, rate_limited: 40 }), null];
  const limit = (perColumn: number) => ({ perColumn, text: '' });
  const tones = (of: ReturnType<typeof limit> | null) =>
    drawn(rateLimitSeries(rows, TOTAL, of)).map(([tone]) => tone);

  it('the rate limit chart draws the limit as a line over allowed and rate-limited requests', () => {
    expect(drawn(rateLimitSeries(rows, TOTAL, limit(60)))).toEqual([
      ['passed', [60, 0]],
      ['rate_limited', [40, 0]],
      ['limit', [60, 60]],
    ]);
  });

  it('the rate limit chart omits the limit when it is far above the bars or unknown', () => {
    expect(tones(limit(400))).toContain('limit');
    expect(tones(limit(401))).not.toContain('limit');
    expect(tones(null)).not.toContain('limit');
  });
});

it('rows match their times regardless of the time format', () => {
  const found = row({ at: '2026-11-20T09:00:00Z', requests: 1 });
  expect(rowsAt(['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'], [found])).toEqual([null, found]);
});
