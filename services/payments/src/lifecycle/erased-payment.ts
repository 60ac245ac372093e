import { ERASED_FIELDS, ERASED_MESSAGE } from '@tollgate/contracts/payments/erased-payment';
import { type Cause, newHistoryEntry, type PaymentDocument } from './payment.ts';
import { searchKeysOf } from './search-keys.ts';
import type { LifecycleType } from './transitions.ts';

/**
 * In place of the digest of the creating request: the personal data in it can be guessed, and a digest confirms the guess.
 * A repeated creation is then compared by amount and currency.
 */
const ERASED_FINGERPRINT = '';

const { return_url: _, next_action: __, ...nullFields } = ERASED_FIELDS;

/** The fields that an erasure sets to null in a stored payment. It removes the other two. */
export const STORED_ERASED_FIELDS: Pick<PaymentDocument, keyof typeof nullFields> = nullFields;

export interface Erasure {
  at: Date;
  cause: Cause;
  requestId: string | null;
}

/**
 * A payment that has ended, without its personal data, with the history entry of the erasure. It keeps the processor's
 * reference, by which its data is found and erased there.
 */
export function erasedPayment(payment: PaymentDocument, { at, cause, requestId }: Erasure): PaymentDocument {
  const { return_url: _, processor_calls: __, ...kept } = payment;
  const { decision: ___, decision_seal: ____, ...settlement } = payment.settlement;
  const { failure, create_key, history } = payment;
  const entry = newHistoryEntry({
    // The status stays as it is.
    type: history.at(-1)?.type as LifecycleType,
    version: payment.version + 1,
    occurredAt: at,
    cause,
    requestId,
  });
  return {
    ...kept,
    ...STORED_ERASED_FIELDS,
    search_keys: searchKeysOf({ _id: payment._id, ...STORED_ERASED_FIELDS }),
    failure: failure && { ...failure, message: ERASED_MESSAGE },
    version: entry.version,
    updated_at: at,
    settlement,
    create_key: { ...create_key, fingerprint: ERASED_FINGERPRINT },
    history: [...history.map(withoutAction), { ...entry, is_erasure: true }],
    purge_due_at: at,
    erased_at: at,
  };
}

function withoutAction({ next_action: _, ...entry }: PaymentDocument['history'][number]) {
  return entry;
}
