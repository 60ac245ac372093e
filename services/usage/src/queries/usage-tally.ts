import { quantilesOf } from '@tollgate/contracts/usage/log-linear-histogram';
import { USAGE_OUTCOMES, type UsageOutcome } from '@tollgate/contracts/usage/usage';
import { addLatency, emptyLatency, type LatencyCounts } from '../packing/packed-rows.ts';

/** The sums over requests. */
export interface UsageTally {
  /** Counts by index of the outcome in the contract's list. */
  outcomes: number[];
  latency: LatencyCounts;
}

export function emptyTally(): UsageTally {
  return { outcomes: USAGE_OUTCOMES.map(() => 0), latency: emptyLatency() };
}

export function requestsOf({ outcomes }: UsageTally): number {
  return outcomes.reduce((sum, count) => sum + count, 0);
}

export function addTally(to: UsageTally, { outcomes, latency }: UsageTally): void {
  for (const [place, count] of outcomes.entries())
    to.outcomes[place] = (to.outcomes[place] as number) + count;
  for (let bucket = latency.lowest; bucket <= latency.highest; bucket++) {
    const count = latency.counts[bucket] as number;
    if (count > 0) addLatency(to.latency, bucket, count);
  }
}

/** Allows reuse for the next point: creating a tally costs more than filling one. */
export function clearTally({ outcomes, latency }: UsageTally): void {
  outcomes.fill(0);
  latency.counts.fill(0, latency.lowest, latency.highest + 1);
  Object.assign(latency, { lowest: latency.counts.length, highest: -1 });
}

/** As the contract has them. */
export function countsOf(tally: UsageTally) {
  const of = (outcome: UsageOutcome) => tally.outcomes[USAGE_OUTCOMES.indexOf(outcome)] as number;
  const requests = requestsOf(tally);
  const quantilesUs = quantilesOf(tally.latency, requests, [0.5, 0.95, 0.99]);
  const [p50_ms = null, p95_ms = null, p99_ms = null] = quantilesUs.map((us) => us / 1_000);
  return {
    requests,
    succeeded: of('succeeded'),
    replayed: of('replayed'),
    client_errors: of('client_error'),
    rate_limited: of('rate_limited'),
    server_errors: of('server_error'),
    aborted: of('aborted'),
    p50_ms,
    p95_ms,
    p99_ms,
  };
}
