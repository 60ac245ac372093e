import type { Actor } from '@tollgate/contracts/accounts/actor';
import { RECENT_AUTHENTICATION_MS } from '@tollgate/contracts/accounts/recent-authentication';
import { expect, it } from 'vitest';
import { requireRecentAuthentication } from './require-recent-authentication.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00.000Z');

function check(actor: object) {
  return () => requireRecentAuthentication(actor as Actor, NOW_MS, 'create live keys');
}

function memberAfter(ms: number) {
  return { type: 'member', authenticated_at: new Date(NOW_MS - ms).toISOString() };
}

it('`requireRecentAuthentication` accepts a member until the time has passed since the authentication', () => {
  expect(check(memberAfter(0))).not.toThrow();
  expect(check(memberAfter(RECENT_AUTHENTICATION_MS))).not.toThrow();
});

it('`requireRecentAuthentication` rejects a member whose authentication is older', () => {
  expect(check(memberAfter(RECENT_AUTHENTICATION_MS + 1))).toThrow(
    'reauthentication-required: You cannot create live keys yet',
  );
});

it('`requireRecentAuthentication` accepts an API token, which cannot confirm an identity', () => {
  expect(check({ type: 'token' })).not.toThrow();
});
