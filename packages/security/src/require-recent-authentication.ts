import type { Actor } from '@tollgate/contracts/accounts/actor';
import { RECENT_AUTHENTICATION_MS } from '@tollgate/contracts/accounts/recent-authentication';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';

/**
 * Throws Problem `reauthentication-required` unless the member signed in or confirmed their identity recently: a session that was
 * stolen or left open must not suffice. `action` completes "You cannot …". API tokens pass: each was created by a
 * member with a recent authentication, or within the rights of such a token.
 */
export function requireRecentAuthentication(actor: Actor, nowMs: number, action: string): void {
  if (actor.type === 'token') return;
  if (nowMs - Date.parse(actor.authenticated_at) <= RECENT_AUTHENTICATION_MS) return;
  throw new Problem(
    'reauthentication-required',
    `You cannot ${action} yet: this requires that you signed in or confirmed your identity within ${RECENT_AUTHENTICATION_MS / MINUTE_MS} minutes.`,
  );
}
