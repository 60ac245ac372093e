import type { Bus } from '@tollgate/bus/connection';
import { consume, PoisonMessage } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { withoutSignature } from '@tollgate/security/audit-entry';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { Context } from '../context.ts';
import type { Appender } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';

/** Messages that wait for a batch or are part of one. */
const CONCURRENCY = 100;
const DURABLE = 'audit';

/**
 * Appends the entries that services publish and have signed. A message is acknowledged when its record is stored. Instances
 * share the messages. An entry that can never be stored is noted, so that its service drops it from the outbox, and goes to
 * the dead letters.
 */
export function consumeEntries(
  bus: Bus,
  { appender, rejections, clock, logger }: Context & { appender: Appender },
  verify: VerifyMessage,
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'AUDIT',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    schema: AuditEntry,
    verify,
    async handle({ received }) {
      // The log seals what was signed, without defaults that this release fills in.
      const entry = withoutSignature(received as AuditEntry);
      try {
        await appender.append(entry);
      } catch (error) {
        if (error instanceof PoisonMessage)
          await rejections.note(entry, error.message, new Date(clock.now()));
        throw error;
      }
    },
  });
}

/** Appends decisions about payments. */
export function consumePayments(
  bus: Bus,
  { appender, logger }: Context & { appender: Appender },
  verify: VerifyMessage,
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'EVENTS',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    schema: PaymentEvent,
    verify,
    async handle({ body }) {
      const entry = paymentEntry(body);
      if (entry) await appender.append(entry);
    },
  });
}
