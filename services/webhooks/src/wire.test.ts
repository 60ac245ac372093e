import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import type { Attempt } from './deliveries/delivery.ts';
import { attemptToWire } from './wire.ts';

const ATTEMPT: Attempt = {
  id: newId('attempt'),
  number: 1,
  at: new Date(0),
  duration_ms: 12,
  error: null,
  url: 'https://example.com',
  request_headers: [['webhook-id', 'evt_1']],
  response: {
    status: 200,
    headers: [
      ['a.b', '1'],
      ['$set', '2'],
    ],
    body: 'ok',
    bytes: 2,
    truncated: false,
  },
};

it('an attempt is shown with all its headers, also those that are no names of fields in MongoDB', () => {
  const shown = attemptToWire(ATTEMPT, true);
  expect(shown.request_headers).toEqual({ 'webhook-id': 'evt_1' });
  expect(shown.response?.headers).toEqual({ 'a.b': '1', $set: '2' });
  expect(attemptToWire({ ...ATTEMPT, response: null }, true).response).toBeNull();
});
