import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit';
import { PaymentEvent } from '@tollgate/contracts/events';
import type { Logger } from '@tollgate/runtime/logger';
import { Compile } from 'typebox/compile';
import type { Appender } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';

/** Messages that wait for a batch or are part of one. */
const CONCURRENCY = 100;
const DURABLE = 'audit';

const entrySchema = Compile(AuditEntry);
const eventSchema = Compile(PaymentEvent);

/**
 * Appends the entries that services publish. A message is acknowledged when its record is stored. Instances share the
 * messages.
 */
export function consumeEntries(bus: Bus, appender: Appender, logger: Logger): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'AUDIT',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    async handle({ body }) {
      // NATS redelivers it, later each time: a newer version of this service may know it.
      if (!entrySchema.Check(body)) throw new Error('The message is not an audit entry.');
      await appender.append(body);
    },
  });
}

/** Appends decisions about payments. */
export function consumePayments(bus: Bus, appender: Appender, logger: Logger): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'EVENTS',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    async handle({ body }) {
      if (!eventSchema.Check(body)) throw new Error('The message is not a payment event.');
      const entry = paymentEntry(body);
      if (entry) await appender.append(entry);
    },
  });
}
