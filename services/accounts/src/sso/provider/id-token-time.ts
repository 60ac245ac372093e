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
