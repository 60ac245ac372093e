import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { HistorySeals } from './history-seal.ts';

const READ_AT_ONCE = 200;

export interface SealedHistories {
  /** Payments that were read. */
  payments: number;
  /** Payments that got seals. */
  sealed: number;
  /** Payments that fail verification and were left as they are: their ids, with the reason. */
  rejected: { paymentId: string; reason: string }[];
}

/** Seals, with the current key, every entry and decision that has a seal of an earlier key. Safe to repeat, and beside running instances. */
export async function sealHistories(connection: Connection, seals: HistorySeals): Promise<SealedHistories> {
  const collection = connection.collection<PaymentDocument>('payments');
  const result: SealedHistories = { payments: 0, sealed: 0, rejected: [] };
  for await (const payment of collection.find({}, { sort: { _id: 1 }, batchSize: READ_AT_ONCE })) {
    result.payments += 1;
    const reason = seals.verify(payment);
    if (reason !== null) {
      result.rejected.push({ paymentId: String(payment._id), reason });
      continue;
    }
    const missing = missingSeals(payment, seals);
    if (missing === null) continue;
    const { application_id, _id, version, settlement } = payment;
    const { modifiedCount } = await collection.updateOne(
      // A change since the read may have sealed its part with a newer key.
      { application_id, _id, version, 'settlement.fence': settlement.fence, ...missing.unchanged },
      { $set: missing.seals as Partial<PaymentDocument> },
    );
    result.sealed += modifiedCount;
  }
  return result;
}

type Fields = Record<string, unknown>;

/** Null when everything has a seal of the current key. */
function missingSeals(
  payment: PaymentDocument,
  seals: HistorySeals,
): { seals: Fields; unchanged: Fields } | null {
  const added: Fields = {};
  const unchanged: Fields = {};
  function add(path: string, old: string | undefined, seal: string): void {
    added[path] = seal;
    unchanged[path] = old ?? { $exists: false };
  }
  for (const [index, entry] of payment.history.entries()) {
    if (!seals.isCurrent(entry.seal)) add(`history.${index}.seal`, entry.seal, seals.sealOf(payment, entry));
  }
  const { decision, decision_seal } = payment.settlement;
  if (decision && !seals.isCurrent(decision_seal)) {
    add('settlement.decision_seal', decision_seal, seals.sealDecision(payment, decision));
  }
  return Object.keys(added).length > 0 ? { seals: added, unchanged } : null;
}
