import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { loadedList } from '../list/loaded-list.ts';
import { readFilters } from '../list/read-filters.ts';
import { KEY_FILTERS } from './key-filters.ts';

const application = newId('application');
const read = (query: string) => readFilters(KEY_FILTERS, new URLSearchParams(query), 'UTC');

it('the filters of the API keys become the query of the API', () => {
  expect(read(`name=server&application=${application}&status=revoked`)).toMatchObject({
    request: { name: 'server', application_id: application, status: 'revoked' },
    errors: {},
  });
});

it('the filters of the API keys reject what no choice offers', () => {
  expect(read('application=shop&status=new')).toMatchObject({
    request: {},
    errors: { application: 'Select an application.', status: 'Select a status.' },
  });
});

it('the filters of the API keys show the name of the application', async () => {
  const options = { application: Promise.resolve([{ value: application, label: 'Shop' }]) };
  const address = `/live/applications/keys?application=${application}&status=expired`;
  expect((await loadedList(address, KEY_FILTERS, options)).chips).toEqual([
    { label: 'Application', value: 'Shop', hrefWithout: '/live/applications/keys?status=expired' },
    {
      label: 'Status',
      value: 'Expired',
      hrefWithout: `/live/applications/keys?application=${application}`,
    },
  ]);
});
