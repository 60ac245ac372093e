import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
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
  const { address, user_agent: userAgent } = request;
  const { token, digest } = newOpaqueToken();
  const owner = { memberId: member._id, teamId: member.team_id, epoch: member.session_epoch };
  const now = new Date(context.clock.now());
  const session = newSession(
    { ...owner, tokenDigest: digest, address, userAgent, authenticatedAt: authenticatedAt ?? now },
    now,
  );
  const author = provenAuthor(member, request, session.id);
  const changes = { method: created(method), ...(isNewDevice && { new_device: created(true) }) };
  const audit = signAuditEntry(
    context.signer,
    sessionAuditEntry('member.signed_in', author, session, session.createdAt, changes),
  );
  await context.sessions.insert(session, audit);
  context.audit.enqueue([auditMessage(session.id, audit)]);
  return { session, token };
}
