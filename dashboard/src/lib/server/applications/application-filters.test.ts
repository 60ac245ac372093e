import { expect, it } from 'vitest';
import { loadedList } from '../list/loaded-list.ts';
import { readFilters } from '../list/read-filters.ts';
import { APPLICATION_FILTERS } from './application-filters.ts';

const read = (query: string) => readFilters(APPLICATION_FILTERS, new URLSearchParams(query), 'UTC');

it('the filters of the applications become the query of the API', () => {
  expect(read('name=shop&label=env:%20prod')).toMatchObject({
    request: { name: 'shop', label: 'env:prod' },
    errors: {},
  });
  expect(read('')).toMatchObject({ request: {}, errors: {} });
});

it('the filters of the applications reject a label without a value', () => {
  expect(read('label=env')).toMatchObject({
    request: {},
    errors: { label: 'Enter a key and a value, for example env:prod.' },
  });
});

it('the filters of the applications can be removed one by one, and keep the status', async () => {
  const address = '/live/applications?name=shop&label=env:prod&status=archived';
  expect((await loadedList(address, APPLICATION_FILTERS)).chips).toEqual([
    { label: 'Name', value: 'shop', hrefWithout: '/live/applications?label=env%3Aprod&status=archived' },
    { label: 'Label', value: 'env:prod', hrefWithout: '/live/applications?name=shop&status=archived' },
  ]);
});
