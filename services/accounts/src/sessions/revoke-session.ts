import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { findActingMember } from '../access/acting-member.ts';
import { sessionAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';

/** Ends one of the member's own sessions; does nothing when it has ended. Throws `forbidden`, `not-found`. */
export async function revokeSession(
  context: Context,
  actor: MemberActor,
  { sessionId }: { sessionId: string },
): Promise<void> {
  const { member } = await findActingMember(context, actor);
  const session = await context.sessions.find(member.team_id, member._id, sessionId);
  if (!session) throw new Problem('not-found', `You have no session ${sessionId}.`);
  const now = new Date(context.clock.now());
  const author = actorAuthor(actor);
  const audit = signAuditEntry(context.signer, sessionAuditEntry('session.revoked', author, session, now));
  if (await context.sessions.revoke(session, now, audit)) {
    context.audit.enqueue([auditMessage(session.id, audit)]);
  }
}
