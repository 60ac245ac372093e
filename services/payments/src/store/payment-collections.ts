import type { Connection } from 'mongoose';
import { type PaymentDocument, paymentSchema } from '../lifecycle/payment.ts';

export type PaymentCollections = ReturnType<typeof openPaymentCollections>;

/** The collection `payments`, with and without mongoose's casting. */
export function openPaymentCollections(connection: Connection) {
  return {
    Model: connection.model<PaymentDocument>('Payment', paymentSchema),
    collection: connection.collection<PaymentDocument>('payments'),
  };
}
