import { expect, it } from 'vitest';
import { idempotencyDigest, isIdempotencyDigest } from './idempotency-digest.ts';

it('the digest of an idempotency key is the same for the same key of one team only', () => {
  const digest = idempotencyDigest('team_1', 'order-1042');
  expect(idempotencyDigest('team_1', 'order-1042')).toBe(digest);
  expect(idempotencyDigest('team_1', 'order-1043')).not.toBe(digest);
  expect(idempotencyDigest('team_2', 'order-1042')).not.toBe(digest);
  expect(isIdempotencyDigest(digest)).toBe(true);
  expect(isIdempotencyDigest('order-1042')).toBe(false);
});
