import type { HistoryEntry, PaymentDocument } from '../lifecycle/payment.ts';
import type { HistorySeals, SealedErasure, SealedOwner } from '../seals/history-seal.ts';

/** An erasure as it is kept outside of the database. It contains ids and no text. */
export interface ErasureRecord extends Omit<SealedOwner, '_id'> {
  payment_id: string;
  /** RFC 3339. */
  erased_at: string;
  cause: SealedErasure['cause'];
  request_id: string | null;
  seal: string;
}

export function erasureRecord(
  payment: PaymentDocument,
  { occurred_at, cause, request_id }: HistoryEntry,
  seals: HistorySeals,
): ErasureRecord {
  const { _id, team_id, application_id, environment } = payment;
  const erasure = { occurred_at, cause: { type: cause.type, id: cause.id }, request_id };
  return {
    payment_id: _id,
    ...{ team_id, application_id, environment },
    erased_at: occurred_at.toISOString(),
    cause: erasure.cause,
    request_id,
    seal: seals.sealErasure(payment, erasure),
  };
}

/** Null when this service did not write it. */
export function readErasureRecord(
  value: unknown,
  seals: HistorySeals,
): { owner: SealedOwner; erasure: SealedErasure } | null {
  try {
    const { payment_id, team_id, application_id, environment, ...record } = value as ErasureRecord;
    const owner = { _id: payment_id, team_id, application_id, environment };
    const { cause, request_id, seal } = record;
    const erasure = { occurred_at: new Date(record.erased_at), cause, request_id };
    return seals.isErasure(owner, erasure, seal) ? { owner, erasure } : null;
  } catch {
    // A field is missing or has another type.
    return null;
  }
}
