import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import { findActingMember } from '../access/acting-member.ts';
import { sessionAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { whileNotRevoked } from './session-store.ts';

/** Ends one of the member's own sessions; does nothing when it has ended. Throws `forbidden`, `not-found`. */
export async function revokeSession(
  context: Context,
  actor: MemberActor,
  { session_id }: { session_id: string },
): Promise<void> {
  const { member } = await findActingMember(context, actor);
  const session = await context.sessions.find(member.team_id, member._id, session_id);
  if (!session) throw new Problem('not-found', `You have no session ${session_id}.`);
  const now = new Date(context.clock.now());
  const entry = sessionAuditEntry('session.revoked', actorAuthor(actor), session, now);
  await recordAudited(context, context.sessions, whileNotRevoked(session), entry, { revoked_at: now });
}
