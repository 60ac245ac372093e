import type { Application } from '@tollgate/contracts/application';
import { newId } from '@tollgate/contracts/ids';
import type { PaymentRow } from '@tollgate/contracts/payment-history';

const AT = '2026-01-01T00:00:00.000Z';
const LIMIT = { requests_per_second: 100, burst: 200 };

export function exampleApplication(fields: Partial<Application> = {}): Application {
  return {
    id: newId('application'),
    name: 'Shop',
    status: 'active',
    scopes: ['payment:read'],
    limits: { live: LIMIT, sandbox: LIMIT },
    version: 7,
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

export function examplePaymentRow(fields: Partial<PaymentRow> = {}): PaymentRow {
  return {
    id: newId('payment'),
    object: 'payment',
    environment: 'sandbox',
    amount: 1250,
    currency: 'EUR',
    purpose: null,
    reference: null,
    payer: null,
    payee: null,
    payment_method: null,
    status: 'pending',
    cancelable: true,
    version: 1,
    failure: null,
    cancellation_reason: null,
    created_at: AT,
    updated_at: AT,
    succeeded_at: null,
    failed_at: null,
    canceled_at: null,
    application_id: newId('application'),
    processor: 'sandbox',
    expires_at: AT,
    ...fields,
  };
}
