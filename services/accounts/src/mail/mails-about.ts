import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { ROLE_BY_ENVIRONMENT, roleAtLeast } from '@tollgate/contracts/platform/roles';
import { isTeamNotice } from '../notices/team-notice.ts';
import type { NewOutgoing } from '../outbox/outbox-store.ts';
import type { Team } from '../teams/team.ts';
import { accountLetterMember } from './letters/account-letter.ts';
import type { AuditEntryTopic } from './mail.ts';

/** The mails that an audit entry causes. Their ids derive from the entry: a repeated message of the bus adds none. */
export function mailsAbout(entry: AuditEntry, team: Team | null, now: Date): NewOutgoing<AuditEntryTopic>[] {
  return recipientsOf(entry, team).map((member_id) => ({
    _id: member_id === null ? entry.id : `${entry.id}:${member_id}`,
    team_id: entry.team_id,
    topic: { type: 'audit-entry', entry, member_id },
    created_at: now,
  }));
}

/** Actions after which the invited person gets the link. */
const INVITATION_MAILS: ReadonlySet<string> = new Set(['invitation.created', 'invitation.resent']);

/** Ids of members; null is the invited person. */
function recipientsOf(entry: AuditEntry, team: Team | null): (string | null)[] {
  if (INVITATION_MAILS.has(entry.action)) return [null];
  const memberId = accountLetterMember(entry);
  if (memberId !== null) return [memberId];
  return team && isTeamNotice(entry) ? membersToNotify(team, entry) : [];
}

/** The members of the team who may act on it, without the one who did it. */
function membersToNotify({ members }: Team, { environment, actor }: AuditEntry): string[] {
  const required = ROLE_BY_ENVIRONMENT[environment ?? 'live'];
  return members
    .filter(({ member_id, role }) => roleAtLeast(role, required) && member_id !== actor.id)
    .map(({ member_id }) => member_id);
}
