import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Context } from '../../context.ts';
import type { Member } from '../../members/member.ts';
import { roleIn, type Team } from '../../teams/team.ts';

/** The member whom a mail about an entry is for, and their team. Null when the member has left it. */
export async function findRecipient(
  { members, teams }: Context,
  { team_id }: AuditEntry,
  memberId: string,
): Promise<{ member: Member; team: Team } | null> {
  const member = await members.find(team_id, memberId);
  const team = await teams.find(team_id);
  return member && team && roleIn(team, memberId) !== null ? { member, team } : null;
}
