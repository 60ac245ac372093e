import { ssoFailed } from '../sso-failed.ts';

/**
 * Throws `sso-failed` unless the ID token was issued for this sign-in: after its start and before now, within the tolerance. The
 * library checks `exp` only, and a provider whose clock is ahead issues tokens that are valid for too long.
 */
export function requireIssuedForSignIn(
  { iat }: { iat: number },
  { startedAt, now, toleranceS }: { startedAt: Date; now: Date; toleranceS: number },
): void {
  const toleranceMs = toleranceS * 1000;
  const issuedAtMs = iat * 1000;
  if (issuedAtMs >= startedAt.getTime() - toleranceMs && issuedAtMs <= now.getTime() + toleranceMs) return;
  throw ssoFailed(
    'invalid_time',
    'The response of the identity provider was issued at another time. Its clock and the clock of this server differ by more than a minute.',
  );
}

/**
 * When the person authenticated at the provider (OpenID Connect Core 1.0 §2, `auth_time`), at most now. Null when the provider does not
 * say, or states a time that is not past within the tolerance.
 */
export function authenticationTime(
  { auth_time: authTimeS }: { auth_time?: number },
  { now, toleranceS }: { now: Date; toleranceS: number },
): Date | null {
  if (authTimeS === undefined) return null;
  const atMs = authTimeS * 1000;
  if (atMs > now.getTime() + toleranceS * 1000) return null;
  return new Date(Math.min(atMs, now.getTime()));
}

/**
 * Throws `sso-failed` unless the person authenticated after the sign-in started, within the tolerance. A provider may ignore `max_age`,
 * and confirm a person who has left the browser open.
 */
export function requireNewAuthentication(
  authenticatedAt: Date | null,
  { startedAt, toleranceS }: { startedAt: Date; toleranceS: number },
): void {
  if (authenticatedAt === null) {
    throw ssoFailed(
      'no_authentication_time',
      'The identity provider does not say when you signed in there, so your identity is not confirmed. An owner of the team must configure it to return the claim auth_time.',
    );
  }
  if (authenticatedAt.getTime() >= startedAt.getTime() - toleranceS * 1000) return;
  throw ssoFailed(
    'old_authentication',
    'The identity provider did not ask you to sign in again, so your identity is not confirmed. Sign out at the provider, then try again.',
  );
}
