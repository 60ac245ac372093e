import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import { expect, it } from 'vitest';
import { readValues } from '../list/read-filters.ts';
import { USAGE_FILTERS } from './usage-filters.ts';
import { usageGroupRows } from './usage-groups.ts';

const COUNTS = {
  requests: 200,
  succeeded: 190,
  replayed: 0,
  client_errors: 3,
  rate_limited: 6,
  server_errors: 1,
  aborted: 0,
  p50_ms: 3.2,
  p95_ms: 41,
  p99_ms: 90,
};
const rows = (by: 'application' | 'key' | 'operation', group: Partial<UsageTotal>) =>
  usageGroupRows([{ ...COUNTS, ...group }], {
    by,
    all: 800,
    environment: 'live',
    values: readValues(USAGE_FILTERS, new URLSearchParams('period=7d&outcome=')),
    applicationNames: { app_1: 'Shop' },
    keys: new Map([['key_1', { name: 'Server' }]]),
  });

it('a row of the table shows requests, share of all requests, error rate and latencies', () => {
  expect(rows('application', { application_id: 'app_1' })).toEqual([
    {
      id: 'app_1',
      name: 'Shop',
      note: null,
      href: '/live/applications/app_1',
      narrowHref: '/live/usage?application=app_1&period=7d&by=key',
      requests: '200',
      percentOfAll: 25,
      errorShare: '2%',
      rateLimited: '3%',
      p50: '3.2 ms',
      p95: '41 ms',
    },
  ]);
});

it('a row of the table shows a key with its application, and links to the key', () => {
  expect(rows('key', { application_id: 'app_1', key_id: 'key_1' })).toMatchObject([
    {
      name: 'Server',
      note: 'Shop',
      href: '/live/applications/app_1/keys/key_1',
      narrowHref: '/live/usage?application=app_1&key=key_1&period=7d&by=operation',
    },
  ]);
});

it('a row of the table shows an operation by its label', () => {
  expect(rows('operation', { operation: 'read_payment' })).toMatchObject([
    { name: 'Read payment', href: null, narrowHref: '/live/usage?operation=read_payment&period=7d' },
  ]);
});

it('a row of the table shows the id when the name is unknown', () => {
  expect(rows('key', { application_id: 'app_2', key_id: 'key_2' })).toMatchObject([
    { name: 'key_2', note: 'app_2' },
  ]);
});
