import { Payment } from '@tollgate/contracts/payments/payment';
import { contractsOf } from '@tollgate/contracts/platform/rpc-contract';
import Type from 'typebox';

/** A call between two services whose reply is a payment. */
export const readPayment = contractsOf('benchmark')('read_payment', 'service', {
  request: { payment_id: Type.String() },
  reply: Payment,
});

/** On which the same service replies without the bus package. */
export const BARE_SUBJECT = 'benchmark.read_payment';

/** What the service replies with. */
export const PAYMENT: Payment = {
  id: 'pay_01kmwp5q3zf6s8x4v7t2b9c1de',
  object: 'payment',
  environment: 'sandbox',
  amount: 4_990,
  currency: 'EUR',
  purpose: 'Order 42 of 3 March',
  reference: 'order-2026-0042',
  payer: { name: 'Ada Lovelace', account: null, email: 'ada@example.com' },
  payee: null,
  payment_method: 'pm_succeed',
  metadata: { cart: 'c-7f3a9', channel: 'web' },
  status: 'succeeded',
  cancelable: false,
  version: 3,
  failure: null,
  cancellation_reason: null,
  return_url: null,
  next_action: null,
  waiting_for: null,
  processor: 'sandbox',
  processor_reference: null,
  expires_at: '2026-03-04T09:00:00.000Z',
  created_at: '2026-03-03T09:00:00.000Z',
  updated_at: '2026-03-03T09:00:05.000Z',
  succeeded_at: '2026-03-03T09:00:05.000Z',
  failed_at: null,
  canceled_at: null,
  cancellation_requested_at: null,
  erased_at: null,
};
