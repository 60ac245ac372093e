import { idTimeMs } from '@tollgate/contracts/id-time';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Attempt, Delivery } from './deliveries/delivery.ts';

export interface WebhookMetrics {
  observeAttempt(delivery: Pick<Delivery, 'environment' | 'eventId'>, attempt: Attempt): void;
  /** An attempt came too late to be recorded. */
  countLostClaim(): void;
  countFannedOut(deliveries: number): void;
  /** Events that reconciliation found and no message had brought: a rising count means that NATS loses or is unavailable. */
  countReconciled(events: number): void;
}

/** What is asked at every scrape. */
export interface Backlog {
  inFlight(): number;
  /** Deliveries of all endpoints that are due and not claimed. NaN when it cannot be told. */
  countDue(): Promise<number>;
  /** How long the one has been due that is due for longest; 0 when none is. NaN when it cannot be told. */
  oldestDueAgeS(): Promise<number>;
}

/** From a quick receiver to the deadline. */
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 16];
/** From one pass through the queue to an endpoint that was disabled for days. */
const DELAY_BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400];

/** No label names an endpoint, application or team: their number has no bound, and that of time series must have one. */
export function createWebhookMetrics(registry: Registry, backlog: Backlog): WebhookMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'tollgate_webhooks_attempts_total',
    help: 'Attempts by this instance, by what came of them: succeeded, or the code of the error',
    labelNames: ['environment', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'tollgate_webhooks_attempt_duration_seconds',
    help: 'Time from the look-up of the host to the end of the response',
    labelNames: ['environment'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const firstAttempts = new Histogram({
    name: 'tollgate_webhooks_first_attempt_delay_seconds',
    help: 'Time from the event to the first attempt of a delivery of it, replayed ones too',
    labelNames: ['environment'],
    buckets: DELAY_BUCKETS_S,
    registers,
  });
  const lostClaims = new Counter({
    name: 'tollgate_webhooks_claims_lost_total',
    help: 'Attempts that were not recorded: claimed again after the lease, canceled or skipped meanwhile',
    registers,
  });
  const fannedOut = new Counter({
    name: 'tollgate_webhooks_deliveries_fanned_out_total',
    help: 'Deliveries that events have made, those to disabled endpoints too',
    registers,
  });
  const reconciled = new Counter({
    name: 'tollgate_webhooks_events_reconciled_total',
    help: 'Events that were found at payments because no message had brought them',
    registers,
  });
  new Gauge({
    name: 'tollgate_webhooks_attempts_in_flight',
    help: 'Attempts of this instance in flight',
    registers,
    collect() {
      this.set(backlog.inFlight());
    },
  });
  new Gauge({
    name: 'tollgate_webhooks_deliveries_due',
    help: 'Deliveries that are due and wait for a slot, of all instances together, counted up to 1,000',
    registers,
    async collect() {
      this.set(await backlog.countDue());
    },
  });
  new Gauge({
    name: 'tollgate_webhooks_oldest_due_age_seconds',
    help: 'For how long the delivery has been due that is due for longest, of all instances together',
    registers,
    async collect() {
      this.set(await backlog.oldestDueAgeS());
    },
  });

  return {
    observeAttempt({ environment, eventId }, { number, at, durationMs, error }) {
      attempts.inc({ environment, outcome: error?.code ?? 'succeeded' });
      durations.observe({ environment }, durationMs / 1000);
      if (number > 1) return;
      // The clocks of two hosts: no event is attempted before it happened.
      firstAttempts.observe({ environment }, Math.max(0, at.getTime() - idTimeMs(eventId)) / 1000);
    },
    countLostClaim: () => lostClaims.inc(),
    countFannedOut: (deliveries) => fannedOut.inc(deliveries),
    countReconciled: (events) => reconciled.inc(events),
  };
}
