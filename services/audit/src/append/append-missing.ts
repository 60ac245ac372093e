import type { AuditEntry } from '@tollgate/contracts/audit';
import type { PaymentEvent } from '@tollgate/contracts/events';
import type { RecordStore } from '../records/record-store.ts';
import type { Appender } from './appender.ts';
import { paymentEntry } from './payment-entry.ts';

/** Appends the entries of the events that are not in the log. Resolves to their number. */
export async function appendMissing(
  { records, appender }: { records: Pick<RecordStore, 'findStoredOfAllTeams'>; appender: Appender },
  events: PaymentEvent[],
): Promise<number> {
  const entries = events.map(paymentEntry).filter((entry): entry is AuditEntry => entry !== null);
  const stored = await records.findStoredOfAllTeams(entries.map(({ id }) => id));
  const missing = entries.filter(({ id }) => !stored.has(id));
  await Promise.all(missing.map((entry) => appender.append(entry)));
  return missing.length;
}
