import { newId } from '@tollgate/contracts/platform/ids';
import { describe, expect, it } from 'vitest';
import { loadedList } from '../list/loaded-list.ts';
import { listPath, readFilters } from '../list/read-filters.ts';
import { PAYMENT_FILTERS, PAYMENT_LIST } from './payment-filters.ts';

const read = (query: string, timeZone = 'UTC') =>
  readFilters(PAYMENT_FILTERS, new URLSearchParams(query), timeZone);
const application = newId('application');

it('filters in the address become an API request: minor units, UTC, uppercase codes', () => {
  const query = `status=failed&failure=declined&application=${application}&search=order-1&currency=eur&min=1,999.5&max=2000&from=2026-11-20&to=2026-11-21&to_time=14:05`;
  expect(read(query, 'Europe/Berlin')).toMatchObject({
    errors: {},
    request: {
      status: 'failed',
      failure_code: 'declined',
      application_id: application,
      search: 'order-1',
      currency: 'EUR',
      amount_min: 199_950,
      amount_max: 200_000,
      created_from: '2026-11-19T23:00:00.000Z',
      created_to: '2026-11-21T13:05:00.000Z',
    },
  });
});

it('filters in the address survive a round trip through the address', () => {
  const { values } = read('status=failed&search=a%26b&currency=JPY&min=500');
  expect(read(values.toString()).values.toString()).toBe(values.toString());
});

it('filters in the address are ignored when they are empty, blank or unknown', () => {
  const { errors, request, values } = read('status=&search=%20%20&min=&cursor=abc&utm=1');
  expect({ errors, request }).toEqual({ errors: {}, request: {} });
  expect(values.toString()).toBe('');
});

it.each([
  ['status=done', 'status'],
  ['failure=Declined', 'failure'],
  ['application=mine', 'application'],
  ['currency=XXX', 'currency'],
  ['currency=XXX&min=10', 'currency'],
  ['min=10', 'currency'],
  ['currency=JPY&min=1.5', 'min'],
  ['currency=EUR&max=ten', 'max'],
  ['currency=EUR&min=0', 'min'],
  ['currency=EUR&min=20&max=10', 'max'],
  ['from=2026-02-31', 'from'],
  ['to_time=14:00', 'to'],
  ['from=2026-11-21&to=2026-11-20', 'to'],
  [`search=${'x'.repeat(256)}`, 'search'],
])('filters in the address with %s are rejected at the field %s', (query, field) => {
  expect(Object.keys(read(query).errors)).toEqual([field]);
});

describe('the filter chips', () => {
  const chips = async (query: string) => {
    const options = { application: Promise.resolve([{ value: application, label: 'Shop' }]) };
    return (await loadedList(`/live/payments?${query}&rows=50`, PAYMENT_LIST, options)).chips;
  };

  it('the filter chips show each filter, with a link to the list without it', async () => {
    expect(await chips(`application=${application}&search=ada&status=failed`)).toEqual([
      {
        label: 'Search',
        value: 'ada',
        hrefWithout: `/live/payments?status=failed&application=${application}&rows=50`,
      },
      {
        label: 'Application',
        value: 'Shop',
        hrefWithout: '/live/payments?search=ada&status=failed&rows=50',
      },
    ]);
  });

  it('the filter chips remove the amounts together with the currency, without which they mean nothing', async () => {
    expect(await chips('currency=eur&min=5')).toEqual([
      { label: 'Currency', value: 'EUR', hrefWithout: '/live/payments?rows=50' },
      { label: 'Minimum amount', value: '5 EUR', hrefWithout: '/live/payments?currency=eur&rows=50' },
    ]);
  });

  it('the filter chips drop the cursor, which belongs to the previous filters', () => {
    const { values } = readFilters(
      PAYMENT_LIST,
      new URLSearchParams('status=failed&cursor=abc&rows=50'),
      'UTC',
    );
    expect(listPath('/sandbox/payments', values)).toBe('/sandbox/payments?status=failed&rows=50');
  });
});
