import { insertAudited } from '@tollgate/store/audited-records';
import { created, sessionAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { newOpaqueToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { newSession, type Session } from '../sessions/session.ts';

/** How a member proved who they are, for the audit record. */
export type SignInMethod =
  | 'password'
  | 'password_and_totp'
  | 'password_and_recovery_code'
  | 'password_and_passkey'
  | 'passkey'
  | 'single_sign_on';

/** Creates a session of a member whose identity is proven. Its token is returned once and stored nowhere. */
export async function startSession(
  context: Context,
  member: Member,
  request: Origin,
  {
    isNewDevice,
    method,
    authenticatedAt,
  }: {
    isNewDevice: boolean;
    method: SignInMethod;
    /** Now, if undefined. */
    authenticatedAt?: Date;
  },
): Promise<{ session: Session; token: string }> {
  const { address, user_agent } = request;
  const { token, digest: token_digest } = newOpaqueToken();
  const now = new Date(context.clock.now());
  const owner = { member_id: member._id, team_id: member.team_id, epoch: member.session_epoch };
  const origin = { address, user_agent, authenticated_at: authenticatedAt ?? now };
  const session = newSession({ ...owner, ...origin, token_digest }, now);
  const author = provenAuthor(member, request, session._id);
  const changes = { method: created(method), ...(isNewDevice && { new_device: created(true) }) };
  const entry = sessionAuditEntry('member.signed_in', author, session, now, changes);
  await insertAudited(context, context.sessions, session, entry);
  return { session, token };
}
