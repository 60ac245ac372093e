import type { PaymentDetail, PaymentRow } from '@tollgate/contracts/payments/payment-history';
import type { PaymentDocument } from './payment.ts';
import { paymentAtVersion } from './payment-at-version.ts';

/** The current payment as a member sees it, without its page at the processor and what differs there. */
export function paymentDetail(document: PaymentDocument): PaymentDetail {
  return { ...memberView(document), processor_url: null, difference: null };
}

function memberView(document: Omit<PaymentDocument, 'create_key'>) {
  return {
    ...paymentAtVersion(document),
    application_id: document.application_id,
    processor: document.settlement.processor,
    expires_at: document.expires_at.toISOString(),
  };
}

/** A payment as read for a list. */
export type ListedPayment = Omit<PaymentDocument, 'metadata' | 'create_key' | 'cancel_key'>;

export function paymentRow(document: ListedPayment): PaymentRow {
  const { metadata: _, ...row } = memberView({ ...document, metadata: null });
  return row;
}
