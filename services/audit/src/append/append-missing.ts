import type { AuditEntry } from '@tollgate/contracts/audit';
import type { PaymentEvent } from '@tollgate/contracts/events';
import type { Appender } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';
import type { StoredEntries } from './stored-entries.ts';

/** Appends the entries of the events that are not in the log. Resolves to their number. */
export async function appendMissing(
  { stored, appender }: { stored: Pick<StoredEntries, 'findMissing'>; appender: Appender },
  events: PaymentEvent[],
): Promise<number> {
  const entries = events.map(paymentEntry).filter((entry): entry is AuditEntry => entry !== null);
  const missing = await stored.findMissing(entries);
  await Promise.all(missing.map((entry) => appender.append(entry)));
  return missing.length;
}
