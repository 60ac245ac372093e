import { expect, it } from 'vitest';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { activeDeliveryFilters, DELIVERY_FILTER_NAMES, parseDeliveryFilters } from './delivery-filters.ts';

const ENDPOINT = 'whe_01kf0fj3s0ec7s9q7v0h5x2m4n';
const PAYMENT = 'pay_01kf0fj3s0ec7s9q7v0h5x2m4n';

function typed(query: string) {
  return readTyped(DELIVERY_FILTER_NAMES, new URLSearchParams(query));
}

it("the delivery filters become an API request, with days in the viewer's time zone", () => {
  const query = `endpoint=${ENDPOINT}&status=failed&type=payment.created&payment=${PAYMENT}&from=2026-11-21&to=2026-11-21&to_time=12:30`;
  expect(parseDeliveryFilters(typed(query), 'Europe/Berlin')).toEqual({
    request: {
      endpoint_id: ENDPOINT,
      status: 'failed',
      event_type: 'payment.created',
      payment_id: PAYMENT,
      created_from: '2026-11-20T23:00:00.000Z',
      created_to: '2026-11-21T11:30:00.000Z',
    },
    errors: {},
  });
});

it('the delivery filters are rejected at their fields when they are invalid', () => {
  const query = 'endpoint=x&status=lost&type=payment.lost&payment=1&from=2026-02-31&to_time=12:00';
  const { errors } = parseDeliveryFilters(typed(query), 'UTC');
  expect(Object.keys(errors).toSorted()).toEqual(['endpoint', 'from', 'payment', 'status', 'to', 'type']);
});

it('the delivery filters are shown as labels, each with a link to the list without it', () => {
  const endpointUrls = new Map([[ENDPOINT, 'https://example.com/hooks']]);
  const query = `endpoint=${ENDPOINT}&status=failed&from=2026-11-21&from_time=08:00`;
  const path = '/live/webhooks/deliveries';
  expect(activeDeliveryFilters(typed(query), { environment: 'live', endpointUrls })).toEqual([
    {
      label: 'Endpoint',
      value: 'https://example.com/hooks',
      hrefWithout: `${path}?status=failed&from=2026-11-21&from_time=08%3A00`,
    },
    {
      label: 'Status',
      value: 'Failed',
      hrefWithout: `${path}?endpoint=${ENDPOINT}&from=2026-11-21&from_time=08%3A00`,
    },
    {
      label: 'After',
      value: '2026-11-21 08:00',
      hrefWithout: `${path}?endpoint=${ENDPOINT}&status=failed`,
    },
  ]);
});
