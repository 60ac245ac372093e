import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';

/** A payer or payee on one line: the name, or else what is known. Empty when nothing is known. */
export function partyName(party: PaymentDetail['payer']): string {
  return party?.name ?? party?.email ?? party?.account ?? '';
}
