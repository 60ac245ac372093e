import { expect, it } from 'vitest';
import { readChange } from './live-change.ts';

const endpoint = { environment: 'live', application_id: 'app_1', endpoint_id: 'we_1' };
const delivery = {
  ...endpoint,
  delivery_id: 'dlv_1',
  event_id: 'evt_1',
  payment_id: 'pay_1',
  status: 'pending',
  attempts: 1,
};

it('`readChange` parses a change of a delivery', () => {
  expect(readChange('delivery', JSON.stringify(delivery))).toEqual({
    about: 'delivery',
    applicationId: 'app_1',
    deliveryId: 'dlv_1',
    endpointId: 'we_1',
    eventId: 'evt_1',
    paymentId: 'pay_1',
  });
});

it('`readChange` parses a change of an endpoint', () => {
  expect(readChange('endpoint', JSON.stringify(endpoint))).toEqual({
    about: 'endpoint',
    applicationId: 'app_1',
    endpointId: 'we_1',
  });
});

it('`readChange` parses a change of a payment', () => {
  const event = { id: 'evt_1', type: 'payment.created', application_id: 'app_1', payment: { id: 'pay_1' } };
  expect(readChange('payment', JSON.stringify(event))).toEqual({
    about: 'payment',
    applicationId: 'app_1',
    eventId: 'evt_1',
    paymentId: 'pay_1',
  });
});

it.each(['', '{', 'null', '[]', '{"delivery_id":1,"endpoint_id":1}'])('`readChange` ignores %j', (data) => {
  expect(readChange('delivery', data)).toBeNull();
  expect(readChange('endpoint', data)).toBeNull();
  expect(readChange('payment', data)).toBeNull();
});
