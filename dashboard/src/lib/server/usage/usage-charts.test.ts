import type { UsageRow } from '@tollgate/contracts/usage/usage';
import { describe, expect, it } from 'vitest';
import { errorRateChart, latencyChart, rateLimitChart, requestsChart, rowsAt } from './usage-charts.ts';

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
const tones = (chart: { series: { tone: string }[] }) => chart.series.map(({ tone }) => tone);
const lines = (chart: { gridLines: { label: string }[] }) => chart.gridLines.map(({ label }) => label);

describe('the requests chart', () => {
  const busy = row({ requests: 12, succeeded: 7, client_errors: 2, server_errors: 3 });

  it('the requests chart stacks requests by outcome and omits outcomes that did not occur', () => {
    const chart = requestsChart([busy, null], [null, null]);
    expect(chart.series.map(({ tone, values }) => [tone, values])).toEqual([
      ['succeeded', [7, 0]],
      ['client_error', [2, 0]],
      ['server_error', [3, 0]],
    ]);
    expect(lines(chart)).toEqual(['0', '5', '10', '15', '20']);
  });

  it('the requests chart draws the previous period as a line, which the axis takes into account', () => {
    const chart = requestsChart([busy, null], [null, row({ requests: 70 })]);
    expect(chart.series.at(-1)).toEqual({
      tone: 'previous',
      label: 'Previous period',
      draws: 'line',
      values: [0, 70],
    });
    expect(chart.top).toBe(80);
  });

  it('the requests chart has an axis without requests', () => {
    expect(lines(requestsChart([null], [null]))).toEqual(['0', '1', '2', '3', '4']);
  });
});

it('the error rate chart excludes rate-limited requests from the errors, and has gaps where there are no requests', () => {
  const rows = [row({ requests: 200, client_errors: 2, server_errors: 1, rate_limited: 50 }), null];
  const chart = errorRateChart(rows);
  expect(chart.series.map(({ tone, values }) => [tone, values])).toEqual([
    ['server_error', [0.005, null]],
    ['client_error', [0.01, null]],
  ]);
  expect(lines(chart)).toEqual(['0%', '0.5%', '1%', '1.5%', '2%']);
});

it('the error rate chart ends at 100%', () => {
  expect(lines(errorRateChart([row({ requests: 3, client_errors: 3 })]))).toEqual([
    '0%',
    '25%',
    '50%',
    '75%',
    '100%',
  ]);
});

it('the latency chart draws lines with gaps where there are no requests', () => {
  const chart = latencyChart([row({ requests: 1, p50_ms: 3.2, p95_ms: 70, p99_ms: 1_900 }), null]);
  expect(chart.series.map(({ tone, values }) => [tone, values])).toEqual([
    ['p50', [3.2, null]],
    ['p95', [70, null]],
    ['p99', [1_900, null]],
  ]);
  expect(lines(chart)).toEqual(['0 ms', '500 ms', '1 s', '1.5 s', '2 s']);
});

describe('the rate limit chart', () => {
  const rows = [row({ requests: 100, rate_limited: 40 }), null];

  it('the rate limit chart draws the limit as a line over allowed and rate-limited requests', () => {
    const chart = rateLimitChart(rows, 60);
    expect(chart.series.map(({ tone, values }) => [tone, values])).toEqual([
      ['passed', [60, 0]],
      ['rate_limited', [40, 0]],
      ['limit', [60, 60]],
    ]);
  });

  it('the rate limit chart omits the limit when it is far above the bars or unknown', () => {
    expect(tones(rateLimitChart(rows, 400))).toContain('limit');
    expect(tones(rateLimitChart(rows, 401))).not.toContain('limit');
    expect(tones(rateLimitChart(rows, null))).not.toContain('limit');
  });
});

it('rows match their times regardless of the time format', () => {
  const found = row({ at: '2026-11-20T09:00:00Z', requests: 1 });
  expect(rowsAt(['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'], [found])).toEqual([null, found]);
});
