import { createAgeGauge } from '@tollgate/service/age-gauge';
import { Counter } from 'prom-client';
import type { Context } from '../context.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutgoingOutcome } from './outgoing.ts';

export interface OutboxMetrics {
  countOutcome(outcome: OutgoingOutcome): void;
}

/** Metrics of one channel. */
export function createOutboxMetrics(
  { registry, connection, clock, logger }: Pick<Context, 'registry' | 'connection' | 'clock' | 'logger'>,
  {
    metric,
    what,
    outbox,
  }: { metric: string; what: string; outbox: Pick<OutboxStore<unknown>, 'oldestUnsentAt'> },
): OutboxMetrics {
  const outcomes = new Counter({
    name: `tollgate_${metric}_total`,
    help: `${what[0]?.toUpperCase()}${what.slice(1)}s that were sent, that failed permanently, or that were dropped because their subject had changed`,
    labelNames: ['outcome'],
    registers: [registry],
  });
  createAgeGauge(registry, {
    connection,
    clock,
    logger,
    name: `tollgate_${metric}_oldest_unsent_age_seconds`,
    help: `Age of the oldest ${what} that waits to be sent, across all instances`,
    oldestAt: () => outbox.oldestUnsentAt(),
  });
  return { countOutcome: (outcome) => outcomes.inc({ outcome }) };
}
