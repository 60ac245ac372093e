import { expect, it } from 'vitest';
import { activeApplicationFilters, parseApplicationFilters } from './application-filters.ts';

const none = { name: '', label: '', status: '' };

it('the filters of the applications become the query of the API', () => {
  expect(parseApplicationFilters({ ...none, name: 'shop', label: 'env: prod' })).toEqual({
    request: { name: 'shop', label: 'env:prod' },
    errors: {},
  });
  expect(parseApplicationFilters(none)).toEqual({ request: {}, errors: {} });
});

it('the filters of the applications reject a label without a value', () => {
  expect(parseApplicationFilters({ ...none, label: 'env' })).toEqual({
    request: {},
    errors: { label: 'Enter a key and a value, for example env:prod.' },
  });
});

it('the filters of the applications can be removed one by one, and keep the status', () => {
  const typed = { name: 'shop', label: 'env:prod', status: 'archived' };
  expect(activeApplicationFilters(typed, 'live')).toEqual([
    { label: 'Name', value: 'shop', hrefWithout: '/live/applications?label=env%3Aprod&status=archived' },
    { label: 'Label', value: 'env:prod', hrefWithout: '/live/applications?name=shop&status=archived' },
  ]);
});
