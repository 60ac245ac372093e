import { expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from './errors.ts';
import { isRetryable } from './retryable.ts';

const WITH_KEY = { method: 'POST', hasIdempotencyKey: true };
const WITHOUT_KEY = { method: 'POST', hasIdempotencyKey: false };
const READ = { method: 'GET', hasIdempotencyKey: false };

it.each<ErrorCode>(['internal', 'upstream-error', 'upstream-timeout'])(
  'a request whose outcome is unknown with %s is repeated as a read or with a key, but not as a POST without one',
  (code) => {
    expect(isRetryable({ code }, READ)).toBe(true);
    expect(isRetryable({ code }, WITH_KEY)).toBe(true);
    expect(isRetryable({ code }, WITHOUT_KEY)).toBe(false);
  },
);

it('a request whose outcome is unknown is not repeated as a POST without a key, whatever its code', () => {
  const problem = { code: 'unavailable', outcomeUnknown: true } as const;
  expect(isRetryable(problem, WITHOUT_KEY)).toBe(false);
  expect(isRetryable(problem, WITH_KEY)).toBe(true);
});

it.each(['PUT', 'PATCH', 'DELETE'])(
  'a request whose outcome is unknown is repeated as a %s, which has one effect only',
  (method) => {
    expect(isRetryable({ code: 'internal' }, { method, hasIdempotencyKey: false })).toBe(true);
  },
);

it.each<ErrorCode>(['unavailable', 'rate-limited'])(
  'a request that was not processed (%s) is repeated',
  (code) => {
    for (const request of [READ, WITH_KEY, WITHOUT_KEY]) expect(isRetryable({ code }, request)).toBe(true);
  },
);

it('a request that fails again unchanged is never repeated', () => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !ERRORS[code].retryable);
  expect(codes.filter((code) => isRetryable({ code }, WITH_KEY))).toEqual([]);
});
