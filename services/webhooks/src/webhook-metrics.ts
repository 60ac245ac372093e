import { idTimeMs } from '@tollgate/contracts/platform/id-time';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Attempt, Delivery } from './deliveries/delivery.ts';

/** Measured at every scrape. */
export interface Backlog {
  inFlight(): number;
  /** Deliveries of all endpoints that are due and not claimed. NaN when unknown. */
  countDue(): Promise<number>;
  /** How long the oldest due delivery has been due; 0 when none is. NaN when unknown. */
  oldestDueAgeS(): Promise<number>;
}

/** From a fast receiver to the deadline. */
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 16];
/** From an immediate attempt to an endpoint that was disabled for days. */
const DELAY_BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400];

/** No label names an endpoint, application, or team: the number of time series must be bounded. */
export function createWebhookMetrics(registry: Registry, backlog: Backlog) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'tollgate_webhooks_attempts_total',
    help: 'Attempts to deliver, by outcome: succeeded, or the error code',
    labelNames: ['environment', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'tollgate_webhooks_attempt_duration_seconds',
    help: 'Duration of attempts, from the DNS lookup to the end of the response',
    labelNames: ['environment'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const firstAttempts = new Histogram({
    name: 'tollgate_webhooks_first_attempt_delay_seconds',
    help: 'Time from the event to the first attempt of its delivery, including replays',
    labelNames: ['environment'],
    buckets: DELAY_BUCKETS_S,
    registers,
  });
  const lostClaims = new Counter({
    name: 'tollgate_webhooks_claims_lost_total',
    help: 'Attempts whose result was not stored, because the lease had expired or the delivery was canceled or skipped meanwhile',
    registers,
  });
  const fannedOut = new Counter({
    name: 'tollgate_webhooks_deliveries_fanned_out_total',
    help: 'Deliveries created for events, including those to disabled endpoints',
    registers,
  });
  const reconciled = new Counter({
    name: 'tollgate_webhooks_events_reconciled_total',
    help: 'Events that only reconciliation with payments found',
    registers,
  });
  const gauge = (name: string, help: string, measure: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await measure());
      },
    });
  gauge('tollgate_webhooks_attempts_in_flight', 'Attempts in flight', backlog.inFlight);
  gauge(
    'tollgate_webhooks_deliveries_due',
    'Deliveries waiting for a slot, across all instances',
    backlog.countDue,
  );
  gauge(
    'tollgate_webhooks_oldest_due_age_seconds',
    'How long the oldest due delivery has been due, across all instances',
    backlog.oldestDueAgeS,
  );

  return {
    observeAttempt(
      { environment, event_id }: Pick<Delivery, 'environment' | 'event_id'>,
      { number, at, duration_ms, error }: Attempt,
    ): void {
      attempts.inc({ environment, outcome: error?.code ?? 'succeeded' });
      durations.observe({ environment }, duration_ms / 1000);
      if (number > 1) return;
      // The clocks of two hosts can differ: the delay is never negative.
      firstAttempts.observe({ environment }, Math.max(0, at.getTime() - idTimeMs(event_id)) / 1000);
    },
    /** Counts an attempt that ended too late to be recorded. */
    countLostClaim: () => lostClaims.inc(),
    countFannedOut: (deliveries: number) => fannedOut.inc(deliveries),
    /** Counts events that only reconciliation found: a rising count means that NATS loses messages or is down. */
    countReconciled: (events: number) => reconciled.inc(events),
  };
}
