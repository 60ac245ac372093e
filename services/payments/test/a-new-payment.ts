import { newId } from '@tollgate/contracts/platform/ids';
import { type NewPayment, newPayment, type PaymentDocument } from '../src/lifecycle/payment.ts';

/** A pending sandbox payment over 10.00 EUR, with the given changes. */
export function aNewPayment(changes: Partial<NewPayment> = {}): PaymentDocument {
  const createdAt = changes.createdAt ?? new Date('2026-01-01T00:00:00Z');
  return newPayment({
    team_id: newId('team'),
    application_id: newId('application'),
    environment: 'sandbox',
    amount: 1_000,
    currency: 'EUR',
    purpose: null,
    reference: null,
    payer: null,
    payee: null,
    payment_method: null,
    returnUrl: null,
    metadata: null,
    expires_at: new Date(createdAt.getTime() + 86_400_000),
    createdAt,
    cause: { type: 'key', id: newId('apiKey') },
    requestId: newId('request'),
    processor: 'sandbox',
    dueAt: createdAt,
    createKey: { key: `request ${newId('request')}`, fingerprint: '1:00' },
    ...changes,
  });
}
