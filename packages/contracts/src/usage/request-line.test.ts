import { expect, it } from 'vitest';
import { ERRORS } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { formatRequestLine, parseRequestLine, type RequestLine } from './request-line.ts';
import { USAGE_LIMITS } from './usage.ts';

const LONGEST: RequestLine = {
  caller: USAGE_LIMITS.loggedPerWindow - 1,
  operation: 'cancel_payment',
  outcome: 'aborted',
  durationUs: 1e15 - 1,
  id: newId('request'),
  status: 500,
  code: Object.keys(ERRORS).reduce((one, other) => (other.length > one.length ? other : one)),
  address: '0000:0000:0000:0000:0000:ffff:255.255.255.255',
  paymentId: newId('payment'),
  idempotencyKey: `sha256:${'0'.repeat(32)}`,
};

it('the longest line is shorter than what the previous release accepts in a window', () => {
  expect(formatRequestLine(LONGEST).length).toBeLessThan(250);
});

it('a line of the previous release has no idempotency key, and a line of the next one has more fields', () => {
  const line = formatRequestLine(LONGEST);
  expect(parseRequestLine(line.split(' ').slice(0, -1).join(' '))).toEqual({
    ...LONGEST,
    idempotencyKey: null,
  });
  expect(parseRequestLine(`${line} more`)).toEqual(LONGEST);
});
