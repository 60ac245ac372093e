import type { MemberActor } from '@tollgate/contracts/actor';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { findActingMember } from '../access/acting-member.ts';
import { sessionAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { invalidSession } from './invalid-session.ts';

/**
 * Records that the member gave the password again in this session, for actions that need a recent authentication. Returns the time.
 * Throws `forbidden`, `invalid-request`, `invalid-session`, `too-many-attempts`, `unavailable`.
 */
export async function reauthenticate(
  context: Context,
  actor: MemberActor,
  request: { currentPassword: string },
): Promise<Date> {
  const { member } = await findActingMember(context, actor);
  await requirePassword(context, actor, member, request.currentPassword);
  const session = await context.sessions.find(member.teamId, member.id, actor.session_id);
  const now = new Date(context.clock.now());
  if (!session) throw invalidSession();
  const audit = signAuditEntry(
    context.signer,
    sessionAuditEntry('member.reauthenticated', actorAuthor(actor), session, now),
  );
  if (!(await context.sessions.recordAuthentication(session, now, audit))) throw invalidSession();
  context.audit.enqueue([auditMessage(session.id, audit)]);
  return now;
}
