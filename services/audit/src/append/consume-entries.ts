import type { Bus } from '@tollgate/bus/connection';
import { consume, PoisonMessage } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { withoutSignature } from '@tollgate/security/audit-entry';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { AppendContext } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';
import { findMissing } from './stored-entries.ts';

const CONSUMER = {
  durable: 'audit',
  /** Messages that wait for a batch or are part of one. */
  concurrency: 100,
} as const;

/**
 * Appends the entries that services publish and have signed. A message is acknowledged when its record is stored. Instances
 * share the messages. An entry that can never be stored is noted, so that its service drops it from the outbox, and goes to
 * the dead letters.
 */
export function consumeEntries(
  bus: Bus,
  { appender, rejections, clock, logger }: AppendContext,
  verify: VerifyMessage,
): { stop(): Promise<void> } {
  return consume(bus, {
    ...CONSUMER,
    stream: 'AUDIT',
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
  { appender, logger }: AppendContext,
  verify: VerifyMessage,
): { stop(): Promise<void> } {
  return consume(bus, {
    ...CONSUMER,
    stream: 'EVENTS',
    logger,
    schema: PaymentEvent,
    verify,
    async handle({ body }) {
      const entry = paymentEntry(body);
      if (entry) await appender.append(entry);
    },
  });
}

/**
 * Appends the entries of the events that are not in the log. Resolves to their number. An entry that can never be stored
 * is skipped, because the events behind it must not wait for it; its message is in the dead letters.
 */
export async function appendMissing(context: AppendContext, events: PaymentEvent[]): Promise<number> {
  const entries = events.map(paymentEntry).filter((entry): entry is AuditEntry => entry !== null);
  const missing = await findMissing(context, entries);
  await Promise.all(
    missing.map(async (entry) => {
      try {
        await context.appender.append(entry);
      } catch (error) {
        if (!(error instanceof PoisonMessage)) throw error;
        context.logger.error(
          { err: error, subject: entry.id },
          'skipped an audit entry that cannot be stored',
        );
      }
    }),
  );
  return missing.length;
}
