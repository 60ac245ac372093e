import type { AuditEntry } from '@tollgate/contracts/audit';
import type { TeamStore } from '../teams/team-store.ts';
import { accountLetterMember } from './letters/account-letter.ts';
import { isTeamNews, teamLetterMembers } from './letters/team-letter.ts';
import type { Mail } from './mail.ts';

/** The mails that an audit entry causes. Their ids derive from the entry: a repeated message of the bus adds none. */
export async function mailsAbout(
  { teams }: { teams: TeamStore },
  entry: AuditEntry,
  now: Date,
): Promise<Omit<Mail, 'attempts'>[]> {
  return (await recipientsOf(teams, entry)).map((memberId) => ({
    id: memberId === null ? entry.id : `${entry.id}:${memberId}`,
    topic: { type: 'audit-entry', entry, memberId },
    createdAt: now,
  }));
}

/** Ids of members; null is the invited person. */
async function recipientsOf(teams: TeamStore, entry: AuditEntry): Promise<(string | null)[]> {
  if (entry.action === 'invitation.created') return [null];
  const memberId = accountLetterMember(entry);
  if (memberId !== null) return [memberId];
  if (!isTeamNews(entry)) return [];
  const team = await teams.find(entry.team_id);
  return team ? teamLetterMembers(team, entry) : [];
}
