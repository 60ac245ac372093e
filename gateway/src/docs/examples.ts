import type { CreatePaymentBody, Payment } from '@tollgate/contracts/payment';

export const EXAMPLE_PAYMENT_ID = 'pay_01kdvf5600er0bqwmkpv3d9a7x';
export const EXAMPLE_REQUEST_ID = 'req_01kdvf55zqfjcr2k6ht2x8rqb4';

export const EXAMPLE_CREATE_BODY: CreatePaymentBody = {
  amount: 1250,
  currency: 'EUR',
  purpose: 'Order 4711',
  reference: 'order-4711',
  metadata: { cart: 'c-93' },
};

export const EXAMPLE_CANCEL_BODY = { cancellation_reason: 'requested_by_customer' } as const;

export const EXAMPLE_PAYMENT: Payment = {
  id: EXAMPLE_PAYMENT_ID,
  object: 'payment',
  environment: 'sandbox',
  amount: 1250,
  currency: 'EUR',
  purpose: 'Order 4711',
  reference: 'order-4711',
  payer: null,
  payee: null,
  payment_method: null,
  metadata: { cart: 'c-93' },
  status: 'pending',
  cancelable: true,
  version: 1,
  failure: null,
  cancellation_reason: null,
  created_at: '2026-01-01T12:00:00.000Z',
  updated_at: '2026-01-01T12:00:00.000Z',
  succeeded_at: null,
  failed_at: null,
  canceled_at: null,
};

export const EXAMPLE_CANCELED_PAYMENT: Payment = {
  ...EXAMPLE_PAYMENT,
  status: 'canceled',
  cancelable: false,
  version: 2,
  cancellation_reason: 'requested_by_customer',
  updated_at: '2026-01-01T12:00:09.000Z',
  canceled_at: '2026-01-01T12:00:09.000Z',
};
