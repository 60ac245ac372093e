import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { activeKeyFilters, parseKeyFilters } from './key-filters.ts';

const application = newId('application');

it('the filters of the API keys become the query of the API', () => {
  expect(parseKeyFilters({ name: 'server', application, status: 'revoked' })).toEqual({
    request: { name: 'server', application_id: application, status: 'revoked' },
    errors: {},
  });
});

it('the filters of the API keys reject what no choice offers', () => {
  expect(parseKeyFilters({ name: '', application: 'shop', status: 'new' })).toEqual({
    request: {},
    errors: { application: 'Select an application.', status: 'Select a status.' },
  });
});

it('the filters of the API keys show the name of the application', () => {
  const applicationNames = new Map([[application, 'Shop']]);
  expect(
    activeKeyFilters({ name: '', application, status: 'expired' }, { environment: 'live', applicationNames }),
  ).toEqual([
    { label: 'Application', value: 'Shop', hrefWithout: '/live/applications/keys?status=expired' },
    {
      label: 'Status',
      value: 'Expired',
      hrefWithout: `/live/applications/keys?application=${application}`,
    },
  ]);
});
