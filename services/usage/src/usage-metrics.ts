import { Counter, Gauge, type Registry } from 'prom-client';

export interface UsageMetrics {
  countStored(windows: number): void;
  /** Delivered or sent again, and known already. */
  countRepeated(windows: number): void;
  countMalformed(): void;
  /** One window of so many requests. */
  countTooLate(requests: number): void;
  /** Another instance wrote what this one was about to write; it computes again. */
  countConflict(): void;
  /** A minute stayed as it was, because windows that it was computed from are gone. */
  countIncompleteMinute(): void;
}

/** What is asked at every scrape. */
export interface WaitingWindows {
  windows: number;
  oldestAt: Date | null;
}

/** No label names a gateway, application or team: their number has no bound, and that of time series must have one. */
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
