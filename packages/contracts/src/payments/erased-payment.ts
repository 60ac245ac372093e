import type { Payment } from './payment.ts';

/** Fields with data of callers, of payers, and of their pages. An erased payment keeps amount, times, and statuses. */
export const ERASED_FIELDS = {
  purpose: null,
  reference: null,
  payer: null,
  payee: null,
  payment_method: null,
  metadata: null,
  return_url: null,
  next_action: null,
} as const satisfies Partial<Payment>;

/** In place of the message of a failure, which a processor or a member wrote. */
export const ERASED_MESSAGE = 'Erased';

export function erasedPayment<Data extends Payment>(payment: Data, erasedAt: string): Data {
  const { failure } = payment;
  return {
    ...payment,
    ...ERASED_FIELDS,
    failure: failure && { ...failure, message: ERASED_MESSAGE },
    erased_at: erasedAt,
  };
}
