import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { PaymentStatus } from '@tollgate/contracts/payments/payment';

/** One event of the stream, with only what pages need: they reload the payments themselves. */
export interface PaymentChange {
  about: 'payment';
  /** Time of the event. */
  id: string;
  type: PaymentEventType;
  applicationId: string;
  payment: { id: string; amount: number; currency: string; status: PaymentStatus; version: number };
}

/** Parses the data of a server-sent event; null for one that this page does not know. */
export function readPaymentChange(data: string): PaymentChange | null {
  try {
    const { id, type, application_id, payment } = JSON.parse(data);
    if (typeof payment?.id !== 'string') return null;
    const { amount, currency, status, version } = payment;
    return {
      about: 'payment',
      id,
      type,
      applicationId: application_id,
      payment: { id: payment.id, amount, currency, status, version },
    };
  } catch {
    return null;
  }
}
