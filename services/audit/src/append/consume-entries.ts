import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit';
import { PaymentEvent } from '@tollgate/contracts/events';
import type { Logger } from '@tollgate/runtime/logger';
import { withoutSignature } from '@tollgate/security/audit-entry';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { Appender } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';

/** Messages that wait for a batch or are part of one. */
const CONCURRENCY = 100;
const DURABLE = 'audit';

/**
 * Appends the entries that services publish and have signed. A message is acknowledged when its record is stored. Instances
 * share the messages.
 */
export function consumeEntries(
  bus: Bus,
  { appender, verify, logger }: { appender: Appender; verify: VerifyMessage; logger: Logger },
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'AUDIT',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    schema: AuditEntry,
    verify,
    // The log seals what was signed, without defaults that this release fills in.
    handle: ({ received }) => appender.append(withoutSignature(received as AuditEntry)),
  });
}

/** Appends decisions about payments. */
export function consumePayments(
  bus: Bus,
  { appender, verify, logger }: { appender: Appender; verify: VerifyMessage; logger: Logger },
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
