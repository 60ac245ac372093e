import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { HistorySeals } from './history-seal.ts';

const READ_AT_ONCE = 200;

export interface ResealedHistories {
  /** Payments that were read. */
  payments: number;
  /** Payments whose seals were replaced. */
  sealed: number;
  /** Payments that fail verification and were left as they are: their ids, with the reason. */
  rejected: { paymentId: string; reason: string }[];
}

/** Replaces, by seals of the current key, those of earlier keys. Safe to repeat, and beside running instances. */
export async function resealHistories(
  connection: Connection,
  seals: HistorySeals,
): Promise<ResealedHistories> {
  const collection = connection.collection<PaymentDocument>('payments');
  const result: ResealedHistories = { payments: 0, sealed: 0, rejected: [] };
  for await (const payment of collection.find({}, { sort: { _id: 1 }, batchSize: READ_AT_ONCE })) {
    result.payments += 1;
    const reason = seals.verify(payment);
    if (reason !== null) {
      result.rejected.push({ paymentId: String(payment._id), reason });
      continue;
    }
    const stale = staleSeals(payment, seals);
    if (stale === null) continue;
    const { application_id, _id, version, settlement } = payment;
    const { modifiedCount } = await collection.updateOne(
      // A change since the read may have sealed its part with a newer key.
      { application_id, _id, version, 'settlement.fence': settlement.fence, ...stale.unchanged },
      { $set: stale.seals as Partial<PaymentDocument> },
    );
    result.sealed += modifiedCount;
  }
  return result;
}

type Fields = Record<string, unknown>;

/** Null when everything has a seal of the current key. */
function staleSeals(
  payment: PaymentDocument,
  seals: HistorySeals,
): { seals: Fields; unchanged: Fields } | null {
  const replaced: Fields = {};
  const unchanged: Fields = {};
  function replace(path: string, old: string | undefined, seal: string): void {
    replaced[path] = seal;
    unchanged[path] = old;
  }
  for (const [index, entry] of payment.history.entries()) {
    if (!seals.isCurrent(entry.seal))
      replace(`history.${index}.seal`, entry.seal, seals.sealOf(payment, entry));
  }
  const { decision, decision_seal } = payment.settlement;
  if (decision && !seals.isCurrent(decision_seal)) {
    replace('settlement.decision_seal', decision_seal, seals.sealDecision(payment, decision));
  }
  return Object.keys(replaced).length > 0 ? { seals: replaced, unchanged } : null;
}
