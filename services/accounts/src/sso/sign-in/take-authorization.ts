import type { Context } from '../../context.ts';
import { digestToken } from '../../opaque-token.ts';
import { type SsoFailed, type SsoFailureReason, ssoFailed } from '../sso-failed.ts';
import type { Authorization } from './authorization.ts';

/** An authorization is used once, by the browser that started it. Throws `sso-failed`. */
export async function takeAuthorization(
  { ssoAuthorizations, clock }: Context,
  { team_id, state, browser_token }: { team_id: string; state: string; browser_token: string },
): Promise<Authorization> {
  const _id = digestToken(state);
  const browser_token_digest = digestToken(browser_token);
  const authorization = await ssoAuthorizations.take({ _id, team_id, browser_token_digest });
  if (authorization === null) {
    const known = await ssoAuthorizations.find(team_id, _id);
    if (known === null) throw notUsable('authorization_unknown');
    throw notUsable(known.is_used ? 'replayed' : 'other_browser');
  }
  if (authorization.expires_at.getTime() <= clock.now()) throw notUsable('authorization_expired');
  return authorization;
}

/** One text for all reasons: it reveals nothing about the sign-ins of other browsers. */
function notUsable(reason: SsoFailureReason): SsoFailed {
  return ssoFailed(
    reason,
    'This sign-in was already used, has expired, or was started in another browser. Start it again.',
  );
}
