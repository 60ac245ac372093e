import type { Context } from '../../context.ts';
import { digestToken } from '../../opaque-token.ts';
import { type SsoFailed, type SsoFailureReason, ssoFailed } from '../sso-failed.ts';
import type { Authorization } from './authorization.ts';
import type { AuthorizationStore } from './authorization-store.ts';

/** An authorization is used once, by the browser that started it. Throws `sso-failed`. */
export async function takeAuthorization(
  context: Context,
  { teamId, state, browserToken }: { teamId: string; state: string; browserToken: string },
): Promise<Authorization> {
  const { ssoAuthorizations, clock } = context;
  const stateDigest = digestToken(state);
  const browserTokenDigest = digestToken(browserToken);
  const authorization = await ssoAuthorizations.take({ teamId, stateDigest, browserTokenDigest });
  if (authorization === null) throw notUsable(await reasonOf(ssoAuthorizations, { teamId, stateDigest }));
  if (authorization.expiresAt.getTime() <= clock.now()) throw notUsable('authorization_expired');
  return authorization;
}

async function reasonOf(
  authorizations: AuthorizationStore,
  of: { teamId: string; stateDigest: string },
): Promise<SsoFailureReason> {
  const status = await authorizations.statusOf(of);
  if (status === null) return 'authorization_unknown';
  return status === 'used' ? 'replayed' : 'other_browser';
}

/** One text for all reasons: it reveals nothing about the sign-ins of other browsers. */
function notUsable(reason: SsoFailureReason): SsoFailed {
  return ssoFailed(
    reason,
    'This sign-in was already used, has expired, or was started in another browser. Start it again.',
  );
}
