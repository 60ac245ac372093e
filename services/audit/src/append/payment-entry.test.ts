import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import {
  PAYMENT_EVENT_TYPES,
  type PaymentEvent,
  type PaymentEventType,
} from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { paymentEntry } from './payment-entry.ts';

const SECRET = 'Ada Lovelace';
const CAUSES = ['key', 'member', 'token', 'processor', 'expiry', 'retention'] as const;
const CASES = PAYMENT_EVENT_TYPES.flatMap((type) => CAUSES.map((cause) => ({ type, cause })));

/** With text of the caller, of the processor, and of a member in every field that can have it. */
function anEvent(type: PaymentEventType, cause: (typeof CAUSES)[number]): PaymentEvent {
  const definition = EVENT_TYPES.find((candidate) => candidate.type === type);
  const { application_id, ...payment } = (definition as (typeof EVENT_TYPES)[number]).example.data;
  const party = { name: SECRET, account: SECRET, email: `${SECRET}@example.com` };
  return {
    id: newId('event'),
    type,
    occurred_at: payment.updated_at,
    team_id: newId('team'),
    application_id,
    environment: 'live',
    cause: { type: cause, id: cause === 'expiry' ? null : `${cause}_1`, address: null },
    request_id: null,
    data: {
      ...payment,
      ...{ purpose: SECRET, reference: SECRET, payer: party, payee: party, payment_method: SECRET },
      ...{ metadata: { [SECRET]: SECRET }, return_url: `https://shop.example/${SECRET}` },
      next_action: { type: 'redirect', url: `https://pay.example/${SECRET}` },
      failure: { code: 'declined', message: SECRET },
    },
  };
}

it.each(CASES)('the entry of $type by $cause contains no text of the payment', ({ type, cause }) => {
  expect(JSON.stringify(paymentEntry(anEvent(type, cause)))).not.toContain(SECRET);
});

it('the audit service records the erasure of a payment with the member and the time', () => {
  const event = anEvent('payment.erased', 'member');
  expect(paymentEntry(event)).toMatchObject({
    action: 'payment.erased',
    actor: { type: 'member', id: 'member_1' },
    target: { type: 'payment', id: event.data.id, name: null },
    changes: { erased_at: { before: null, after: event.data.erased_at } },
  });
});

it('the audit service records an erasure at the end of the retention period as an action of the system', () => {
  expect(paymentEntry(anEvent('payment.erased', 'retention'))).toMatchObject({
    action: 'payment.erased',
    actor: { type: 'system', id: null },
  });
});
