import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import { expect, it } from 'vitest';
import { usageFigures } from './usage-figures.ts';

const total = (more: Partial<UsageTotal>): UsageTotal => ({
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
  ...more,
});
const said = (now: UsageTotal, before: UsageTotal | null, hasOneOutcome = false) =>
  usageFigures(now, before, { hasOneOutcome }).map(
    ({ label, value, note }) => `${label}: ${value} (${note})`,
  );

it('the figures of a range show requests, error rate, rate-limited share and latency, with the change from the previous period', () => {
  const now = total({
    requests: 12_345,
    client_errors: 100,
    server_errors: 23,
    rate_limited: 617,
    p95_ms: 118,
  });
  const before = total({ requests: 11_000, client_errors: 66, rate_limited: 880, p95_ms: 120 });
  expect(said(now, before)).toEqual([
    'Requests: 12,345 (+12% · previously 11,000)',
    'Error rate: 1% (+0.4 points · previously 0.6%)',
    'Rate limited: 5% (−3 points · previously 8%)',
    'p95 latency: 118 ms (−2% · previously 120 ms)',
  ]);
});

it('the figures of a range show no shares and no latency without requests', () => {
  expect(said(total({}), total({ requests: 4, p95_ms: 3.2 }))).toEqual([
    'Requests: 0 (−100% · previously 4)',
    'Error rate: – (previously 0%)',
    'Rate limited: – (previously 0%)',
    'p95 latency: – (previously 3.2 ms)',
  ]);
});

it('the figures of a range say when the previous period has no data, and omit the comparison when it is unknown', () => {
  const now = total({ requests: 4, p95_ms: 3 });
  expect(said(now, total({}))[0]).toBe('Requests: 4 (No data for the previous period)');
  expect(said(now, null)).toEqual([
    'Requests: 4 ()',
    'Error rate: 0% ()',
    'Rate limited: 0% ()',
    'p95 latency: 3 ms ()',
  ]);
});

it('the figures of a range name a factor in words instead of a very large percentage', () => {
  expect(said(total({ requests: 50_000 }), total({ requests: 2 }))[0]).toBe(
    'Requests: 50,000 (25,000 times as high · previously 2)',
  );
});

it('the figures of a range are latencies when all requests have one outcome', () => {
  const now = total({ requests: 1, server_errors: 1, p50_ms: 1, p95_ms: 2, p99_ms: 3 });
  expect(said(now, null, true)).toEqual([
    'Requests: 1 ()',
    'p50 latency: 1 ms ()',
    'p95 latency: 2 ms ()',
    'p99 latency: 3 ms ()',
  ]);
});
