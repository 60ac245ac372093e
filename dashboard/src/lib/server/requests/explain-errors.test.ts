import { newId } from '@tollgate/contracts/platform/ids';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import { expect, it } from 'vitest';
import { explainErrors } from './explain-errors.ts';

const REQUEST: LoggedRequest = {
  id: newId('request'),
  environment: 'sandbox',
  application_id: newId('application'),
  key_id: newId('apiKey'),
  operation: 'create_payment',
  outcome: 'client_error',
  status: 400,
  code: 'invalid-request',
  duration_ms: 1,
  client_address: '192.0.2.1',
  payment_id: null,
  created_at: '2026-11-29T12:00:00.000Z',
};

it('each error of a rejected request says what to change', () => {
  const errors = [
    { pointer: '/currency', code: 'invalid' },
    { pointer: '/amuont', code: 'unknown' },
    { parameter: 'limit', code: 'unknown' },
    { header: 'Idempotency-Key', code: 'invalid' },
    { code: 'unknown' },
    { pointer: '/later_field', code: 'later-code' },
  ];
  const unknown = 'Remove it, or check its name. The operation does not know it.';
  expect(
    explainErrors({ ...REQUEST, errors }).map(({ kind, place, advice }) => [kind, place, advice]),
  ).toEqual([
    ['Field', '/currency', 'This must be a currency code of three letters, such as EUR.'],
    ['Field', '/amuont', unknown],
    ['Query parameter', 'limit', unknown],
    ['Header', 'Idempotency-Key', expect.stringContaining('visible ASCII')],
    ['Field', null, unknown],
    ['Field', '/later_field', 'Compare the value with the API reference.'],
  ]);
});

it('a request that was logged by the previous release has no errors to explain', () => {
  expect(explainErrors(REQUEST)).toEqual([]);
});
