import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import { expect, it } from 'vitest';
import { readValues } from '../list/read-filters.ts';
import { USAGE_FILTERS } from './usage-filters.ts';
import { rangeOfPeriod } from './usage-range.ts';
import { usageView } from './usage-view.ts';

const NOW = Date.parse('2026-11-21T07:08:09Z');
const COUNTS: UsageTotal = {
  requests: 100,
  succeeded: 60,
  replayed: 0,
  client_errors: 10,
  rate_limited: 30,
  server_errors: 0,
  aborted: 0,
  p50_ms: 3,
  p95_ms: 30,
  p99_ms: 90,
};

function view({ query = '', limitPerSecond = null as number | null, hasEarlier = false } = {}) {
  const earlier = { at: '2026-11-21T05:30:00.000Z', ...COUNTS };
  return usageView(
    {
      range: rangeOfPeriod('1h', NOW),
      rows: [{ at: '2026-11-21T07:00:00.000Z', ...COUNTS }],
      previousRows: hasEarlier ? [earlier] : [],
      total: COUNTS,
      before: COUNTS,
      groups: [],
      countedTo: null,
    },
    {
      environment: 'live',
      values: readValues(USAGE_FILTERS, new URLSearchParams(query)),
      timeZone: 'UTC',
      nowMs: NOW,
      limitPerSecond,
    },
  );
}
const legendOf = (shown: ReturnType<typeof view>, title: string) =>
  shown.charts.find((chart) => chart.title === title)?.series.map(({ label, total }) => `${label} ${total}`);

it('the usage page shows all outcomes, each with its count and a link to that outcome', () => {
  const shown = view();
  expect(legendOf(shown, 'Requests')).toEqual([
    'Succeeded 60',
    'Replayed 0',
    'Client errors 10',
    'Rate limited 30',
    'Server errors 0',
    'Canceled by client 0',
  ]);
  expect(shown.charts[0]?.series[2]?.href).toBe('/live/usage?outcome=client_error');
  expect(shown.charts[0]?.columns).toHaveLength(60);
});

it('the usage page shows the previous period as a line when it has data', () => {
  expect(legendOf(view({ hasEarlier: true }), 'Requests')).toContain('Previous period 100');
  expect(view().charts[0]?.description).not.toContain('line');
});

it('the usage page shows the limit of one application per minute, even above the chart', () => {
  expect(legendOf(view({ limitPerSecond: 1 }), 'Rate limit')).toContain('Limit 60 per minute');
  expect(legendOf(view({ limitPerSecond: 100 }), 'Rate limit')).toContain(
    'Limit (above the chart) 6,000 per minute',
  );
  expect(legendOf(view(), 'Rate limit')).toEqual(['Allowed 70', 'Rate limited 30']);
});

it('the usage page shows only requests and latency for a single outcome, whose shares would be 0% or 100%', () => {
  const shown = view({ query: 'outcome=client_error' });
  expect(shown.charts.map(({ title }) => title)).toEqual(['Requests', 'Latency']);
  expect(legendOf(shown, 'Requests')).toEqual(['Client errors 10']);
});
