import { expect, it } from 'vitest';
import { readDeliveryChange, readEndpointChange } from './webhook-change.ts';

const endpoint = { environment: 'live', application_id: 'app_1', endpoint_id: 'we_1' };
const delivery = {
  ...endpoint,
  delivery_id: 'dlv_1',
  event_id: 'evt_1',
  payment_id: 'pay_1',
  status: 'pending',
  attempts: 1,
};

it('`parseWebhookChange` parses a change of a delivery', () => {
  expect(readDeliveryChange(JSON.stringify(delivery))).toEqual({
    about: 'delivery',
    applicationId: 'app_1',
    deliveryId: 'dlv_1',
    endpointId: 'we_1',
    eventId: 'evt_1',
    paymentId: 'pay_1',
  });
});

it('`parseWebhookChange` parses a change of an endpoint', () => {
  expect(readEndpointChange(JSON.stringify(endpoint))).toEqual({
    about: 'endpoint',
    applicationId: 'app_1',
    endpointId: 'we_1',
  });
});

it.each(['', '{', 'null', '[]', '{"delivery_id":1,"endpoint_id":1}'])(
  '`parseWebhookChange` ignores %j',
  (data) => {
    expect(readDeliveryChange(data)).toBeNull();
    expect(readEndpointChange(data)).toBeNull();
  },
);
