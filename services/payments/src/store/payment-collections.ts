import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { paymentSchema } from './payment-schema.ts';

export type PaymentCollections = ReturnType<typeof openPaymentCollections>;

/** The collection `payments`, with and without mongoose's casting. */
export function openPaymentCollections(connection: Connection) {
  return {
    Model: connection.model<PaymentDocument>('Payment', paymentSchema, 'payments'),
    collection: connection.collection<PaymentDocument>('payments'),
  };
}
