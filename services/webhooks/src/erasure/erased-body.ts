import { erasedPayment } from '@tollgate/contracts/payments/erased-payment';
import type { WebhookBody } from '@tollgate/contracts/payments/event-types';

/** The body of an event without the payment's personal data. It is signed anew when it is sent. */
export function erasedBody(text: string, erasedAt: string): string {
  const body = JSON.parse(text) as WebhookBody;
  return JSON.stringify({ ...body, data: erasedPayment(body.data, erasedAt) });
}
