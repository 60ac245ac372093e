import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { createAgeGauge } from '@tollgate/service/age-gauge';
import type { Connection } from 'mongoose';
import { Counter, type Registry } from 'prom-client';
import type { MailOutcome } from './mail.ts';
import type { MailStore } from './mail-store.ts';

export interface MailMetrics {
  countOutcome(outcome: MailOutcome): void;
}

export function createMailMetrics(
  registry: Registry,
  { mails, ...deps }: { mails: MailStore; connection: Connection; clock: Clock; logger: Logger },
): MailMetrics {
  const outcomes = new Counter({
    name: 'tollgate_mails_total',
    help: 'Mails that were sent, that failed permanently, or that were dropped because their subject had changed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  createAgeGauge(registry, {
    ...deps,
    name: 'tollgate_mails_oldest_unsent_age_seconds',
    help: 'Age of the oldest mail that waits to be sent, across all instances; NaN without MongoDB',
    oldestAt: () => mails.oldestUnsentAt(),
  });
  return { countOutcome: (outcome) => outcomes.inc({ outcome }) };
}
