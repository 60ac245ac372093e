import { Counter, Gauge, type Registry } from 'prom-client';

export interface UsageMetrics {
  countStored(windows: number): void;
  /** Windows that were redelivered or republished, and were already stored. */
  countRepeated(windows: number): void;
  countMalformed(): void;
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
  const stored = counter('windows_stored', 'Windows stored, each once');
  const repeated = counter('windows_repeated', 'Windows that came again and changed nothing');
  const malformed = counter('windows_malformed', 'Messages that are no windows and were dropped');
  const tooLate = counter('windows_too_late', 'Windows that came more than 7 days late and are not counted');
  const tooLateRequests = counter('requests_too_late', 'Requests in windows that came too late');
  const conflicts = counter(
    'roll_up_conflicts',
    'Documents computed again because another instance wrote them',
  );
  const incomplete = counter(
    'minutes_incomplete',
    'Minutes left as they were because windows of them expired',
  );
  new Gauge({
    name: 'tollgate_usage_windows_to_roll_up',
    help: 'Windows that are stored and not in minutes yet, of all instances together; NaN without MongoDB',
    registers: [registry],
    async collect() {
      this.set((await waiting())?.windows ?? Number.NaN);
    },
  });

  return {
    countStored: (windows) => stored.inc(windows),
    countRepeated: (windows) => repeated.inc(windows),
    countMalformed: () => malformed.inc(),
    countTooLate(requests) {
      tooLate.inc();
      tooLateRequests.inc(requests);
    },
    countConflict: () => conflicts.inc(),
    countIncompleteMinute: () => incomplete.inc(),
  };
}
