import { PoisonMessage } from '@tollgate/bus/consumer';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Context } from '../context.ts';
import type { Appender } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';
import { findMissing } from './stored-entries.ts';

/**
 * Appends the entries of the events that are not in the log. Resolves to their number. An entry that can never be stored
 * is skipped, because the events behind it must not wait for it; its message is in the dead letters.
 */
export async function appendMissing(
  context: Context & { appender: Appender },
  events: PaymentEvent[],
): Promise<number> {
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
