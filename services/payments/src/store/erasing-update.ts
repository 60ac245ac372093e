import type { UpdateQuery } from 'mongoose';
import { STORED_ERASED_FIELDS } from '../lifecycle/erased-payment.ts';
import type { HistoryEntry, PaymentDocument } from '../lifecycle/payment.ts';

/**
 * Builds the update that erases the stored payment. It sets single fields, so that fields of a later release and
 * marks of concurrently published events stay as they are.
 */
export function erasingUpdate(
  erased: PaymentDocument,
  sealOf: (entry: HistoryEntry) => string,
): Record<'$set' | '$unset', UpdateQuery<PaymentDocument>> {
  const { failure, version, updated_at, create_key, search_keys, purge_due_at, erased_at } = erased;
  const sealed = erased.history.map((entry) => ({ ...entry, seal: sealOf(entry) }));
  const added = sealed.length - 1;
  return {
    $set: {
      ...STORED_ERASED_FIELDS,
      ...{ failure, version, updated_at, search_keys, purge_due_at, erased_at },
      'create_key.fingerprint': create_key.fingerprint,
      ...Object.fromEntries(sealed.slice(0, added).map(({ seal }, index) => [`history.${index}.seal`, seal])),
      // The index after the last entry appends. MongoDB rejects `$push` together with paths into the array.
      [`history.${added}`]: sealed[added],
    },
    $unset: {
      return_url: 1,
      processor_calls: 1,
      'settlement.decision': 1,
      'settlement.decision_seal': 1,
      ...Object.fromEntries(sealed.slice(0, added).map((_, index) => [`history.${index}.next_action`, 1])),
    },
  };
}
