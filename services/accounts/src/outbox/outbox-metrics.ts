import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { createAgeGauge } from '@tollgate/service/age-gauge';
import type { Connection } from 'mongoose';
import { Counter, type Registry } from 'prom-client';
import type { OutboxStore } from './outbox-store.ts';
import type { OutgoingOutcome } from './outgoing.ts';

export interface OutboxMetrics {
  countOutcome(outcome: OutgoingOutcome): void;
}

/** Metrics of one channel. */
export function createOutboxMetrics(
  registry: Registry,
  {
    channel,
    outbox,
    ...deps
  }: {
    /** `metric` is part of the names of its metrics. */
    channel: { metric: string; singular: string; plural: string };
    outbox: Pick<OutboxStore<never>, 'oldestUnsentAt'>;
    connection: Connection;
    clock: Clock;
    logger: Logger;
  },
): OutboxMetrics {
  const { metric, singular, plural } = channel;
  const outcomes = new Counter({
    name: `tollgate_${metric}_total`,
    help: `${plural} that were sent, that failed permanently, or that were dropped because their subject had changed`,
    labelNames: ['outcome'],
    registers: [registry],
  });
  createAgeGauge(registry, {
    ...deps,
    name: `tollgate_${metric}_oldest_unsent_age_seconds`,
    help: `Age of the oldest ${singular} that waits to be sent, across all instances`,
    oldestAt: () => outbox.oldestUnsentAt(),
  });
  return { countOutcome: (outcome) => outcomes.inc({ outcome }) };
}
