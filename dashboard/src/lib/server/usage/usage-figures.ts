import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import { compare, compareShares } from '#lib/format/change.ts';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';

/**
 * The figures at the top, each compared with the previous period. `before` is the total of the previous period; null when unknown. For requests with a single
 * outcome, shares are meaningless, so latencies take their place.
 */
export function usageFigures(
  total: UsageTotal,
  before: UsageTotal | null,
  { hasOneOutcome }: { hasOneOutcome: boolean },
) {
  const requests = {
    label: 'Requests',
    value: formatCount(total.requests),
    note: compare(total.requests, before?.requests ?? null, formatCount),
  };
  const latency = (name: 'p50' | 'p95' | 'p99') => ({
    label: `${name} latency`,
    value: formatOr(formatLatency, total[`${name}_ms`]),
    note: compare(total[`${name}_ms`], before?.[`${name}_ms`] ?? null, formatLatency),
  });
  if (hasOneOutcome) return [requests, latency('p50'), latency('p95'), latency('p99')];
  const share = (label: string, of: (counts: UsageTotal) => number) => {
    const [now, earlier] = [shareOf(total, of), before && shareOf(before, of)];
    return { label, value: formatOr(formatRate, now), note: compareShares(now, earlier) };
  };
  return [requests, share('Error rate', errorsOf), share('Rate limited', rateLimitedOf), latency('p95')];
}

/** Rate-limited requests are not errors here. */
const errorsOf = (counts: UsageTotal) => counts.client_errors + counts.server_errors;
const rateLimitedOf = (counts: UsageTotal) => counts.rate_limited;

/** The shares of errors and of rate-limited requests, as texts. */
export function shareTexts(counts: UsageTotal) {
  return {
    errorShare: formatOr(formatRate, shareOf(counts, errorsOf)),
    rateLimited: formatOr(formatRate, shareOf(counts, rateLimitedOf)),
  };
}

/** As a share of all requests; null without requests. */
export function shareOf(counts: UsageTotal, of: (counts: UsageTotal) => number): number | null {
  return counts.requests === 0 ? null : of(counts) / counts.requests;
}

export function formatOr(format: (value: number) => string, value: number | null): string {
  return value === null ? '–' : format(value);
}
