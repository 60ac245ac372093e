import type { CreatePaymentBody, Payment } from '@tollgate/contracts/payments/payment';

export const EXAMPLE_PAYMENT_ID = 'pay_01kdvf5600er0bqwmkpv3d9a7x';
export const EXAMPLE_REQUEST_ID = 'req_01kdvf55zqfjcr2k6ht2x8rqb4';

export const EXAMPLE_CREATE_BODY: CreatePaymentBody = {
  amount: 1250,
  currency: 'EUR',
  purpose: 'Order 4711',
  reference: 'order-4711',
  return_url: 'https://shop.example/orders/4711',
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
  return_url: 'https://shop.example/orders/4711',
  next_action: null,
  waiting_for: 'processor',
  processor: 'stripe',
  processor_reference: null,
  expires_at: '2026-01-02T12:00:00.000Z',
  created_at: '2026-01-01T12:00:00.000Z',
  updated_at: '2026-01-01T12:00:00.000Z',
  succeeded_at: null,
  failed_at: null,
  canceled_at: null,
  cancellation_requested_at: null,
  erased_at: null,
};

/** The payer has been sent to the processor's page, which the processor must close first. */
export const EXAMPLE_CANCELING_PAYMENT: Payment = {
  ...EXAMPLE_PAYMENT,
  version: 3,
  next_action: { type: 'redirect', url: 'https://pay.processor.example/c/9f2c41' },
  processor_reference: 'cs_9f2c41',
  updated_at: '2026-01-01T12:00:09.000Z',
  cancellation_requested_at: '2026-01-01T12:00:09.000Z',
};

export const EXAMPLE_CANCELED_PAYMENT: Payment = {
  ...EXAMPLE_PAYMENT,
  status: 'canceled',
  cancelable: false,
  waiting_for: null,
  version: 2,
  cancellation_reason: 'requested_by_customer',
  updated_at: '2026-01-01T12:00:09.000Z',
  canceled_at: '2026-01-01T12:00:09.000Z',
};
