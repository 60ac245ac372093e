import { expect, it } from 'vitest';
import { loadedList } from '../list/loaded-list.ts';
import { readFilters } from '../list/read-filters.ts';
import { DELIVERY_FILTERS } from './delivery-filters.ts';

const ENDPOINT = 'whe_01kf0fj3s0ec7s9q7v0h5x2m4n';
const PAYMENT = 'pay_01kf0fj3s0ec7s9q7v0h5x2m4n';

const read = (query: string, timeZone: string) =>
  readFilters(DELIVERY_FILTERS, new URLSearchParams(query), timeZone);

it("the delivery filters become an API request, with days in the viewer's time zone", () => {
  const query = `endpoint=${ENDPOINT}&status=failed&type=payment.created&payment=${PAYMENT}&from=2026-11-21&to=2026-11-21&to_time=12:30`;
  expect(read(query, 'Europe/Berlin')).toMatchObject({
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
  const { errors } = read(query, 'UTC');
  expect(Object.keys(errors).toSorted()).toEqual(['endpoint', 'from', 'payment', 'status', 'to', 'type']);
});

it('the delivery filters are shown as labels, each with a link to the list without it', async () => {
  const query = `endpoint=${ENDPOINT}&status=failed&from=2026-11-21&from_time=08:00`;
  const path = '/live/webhooks/deliveries';
  const options = { endpoint: Promise.resolve([{ value: ENDPOINT, label: 'https://example.com/hooks' }]) };
  expect((await loadedList(`${path}?${query}`, DELIVERY_FILTERS, options)).chips).toEqual([
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
