import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { withChat } from '../teams/team.ts';
import { auditedChat } from './chat-webhook.ts';

/** Removes the webhook. Messages that wait are dropped. Without effect when there is none. Throws `forbidden`. */
export async function removeTeamChat(context: Context, actor: MemberActor): Promise<void> {
  await findActingMember(context, actor);
  const author = actorAuthor(actor);
  await changeTeam(context, actor.team_id, (before, now) => {
    requireRole(before, actor, 'admin', 'remove the chat of the team');
    if (before.chat === null) return { after: before, audit: [] };
    const after = withChat(before, null, now);
    const changes = auditChanges(auditedChat(before.chat), auditedChat(null));
    return { after, audit: [teamAuditEntry('team.chat_removed', author, after, changes)] };
  });
}
