import type { DeliveryAttempt } from '@tollgate/contracts/webhooks/webhook';
import { ATTEMPT_ERRORS } from '@tollgate/contracts/webhooks/webhook';
import { expect, it } from 'vitest';
import { explainAttempt } from './explain-attempt.ts';

function answered(status: number): DeliveryAttempt['response'] {
  return { status, headers: {}, bytes: 0, truncated: false };
}

it('the explanation of an attempt shows the status of a successful attempt without advice', () => {
  expect(explainAttempt({ error: null, response: answered(204) })).toEqual({
    title: '204 response',
    advice: null,
  });
});

it.each(ATTEMPT_ERRORS)('the explanation of an attempt gives advice for the error %s', (code) => {
  const { title, advice } = explainAttempt({ error: { code, detail: '' }, response: null });
  expect(title).not.toBe('');
  expect(advice).toMatch(/\.$/);
});

it.each([
  [307, /Redirects are not followed/],
  [400, /signature/],
  [401, /credentials/],
  [404, /path/],
  [410, /disabled/],
  [429, /Retry-After/],
  [503, /logs/],
])('the explanation of an attempt gives advice for a response with status %i', (status, advice) => {
  const error = { code: 'status' as const, detail: '' };
  expect(explainAttempt({ error, response: answered(status) })).toEqual({
    title: `${status} response`,
    advice: expect.stringMatching(advice),
  });
});
