import type { PaymentDetail } from '@tollgate/contracts/payment-history';

/** A payer or payee in one line: the name, or what else is known. Empty when there is none. */
export function partyName(party: PaymentDetail['payer']): string {
  return party?.name ?? party?.email ?? party?.account ?? '';
}
