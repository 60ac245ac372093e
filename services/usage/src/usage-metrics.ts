import { Counter, Gauge, type Registry } from 'prom-client';

export interface UsageMetrics {
  countStored(windows: number): void;
  /** Windows that were redelivered or republished, and were already stored. */
  countRepeated(windows: number): void;
  /** A window with this many requests. */
  countTooLate(requests: number): void;
  /** Another instance wrote a document first; this one computes it again. */
  countConflict(): void;
  /** A minute was left unchanged, because windows that it was computed from have expired. */
  countIncompleteMinute(): void;
}

/** Read at every scrape. */
export interface WaitingWindows {
  windows: number;
  oldestAt: Date | null;
}

/**
 * No label names a gateway, application, or team: their number is unbounded, and the number of time series must not be.
 */
export function createUsageMetrics(
  registry: Registry,
  waiting: () => Promise<WaitingWindows | null>,
): UsageMetrics {
  const counter = (name: string, help: string) =>
    new Counter({ name: `tollgate_usage_${name}_total`, help, registers: [registry] });
  const stored = counter('windows_stored', 'Usage windows stored');
  const repeated = counter('windows_repeated', 'Usage windows received again and ignored');
  const tooLate = counter(
    'windows_too_late',
    'Usage windows dropped because they arrived more than 7 days late',
  );
  const tooLateRequests = counter(
    'requests_too_late',
    'Requests in usage windows dropped because they arrived more than 7 days late',
  );
  const conflicts = counter(
    'roll_up_conflicts',
    'Usage documents computed again because another instance wrote them first',
  );
  const incomplete = counter(
    'minutes_incomplete',
    'Minutes of usage left unchanged because some of their windows expired',
  );
  new Gauge({
    name: 'tollgate_usage_windows_to_roll_up',
    help: 'Usage windows stored and not yet rolled up into minutes, across all instances',
    registers: [registry],
    async collect() {
      this.set((await waiting())?.windows ?? Number.NaN);
    },
  });

  return {
    countStored: (windows) => stored.inc(windows),
    countRepeated: (windows) => repeated.inc(windows),
    countTooLate(requests) {
      tooLate.inc();
      tooLateRequests.inc(requests);
    },
    countConflict: () => conflicts.inc(),
    countIncompleteMinute: () => incomplete.inc(),
  };
}
