import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Member } from '../../members/member.ts';
import { timeText } from '../../notices/time-text.ts';
import { roleIn } from '../../teams/team.ts';
import type { Letter } from '../letter.ts';
import type { LetterContext } from './letter-context.ts';

/** The member, and the facts that every letter to a member states. Null when the member has left the team. */
export async function findRecipient(
  { members, teams }: LetterContext,
  entry: AuditEntry,
  memberId: string,
): Promise<{ member: Member; facts: NonNullable<Letter['facts']> } | null> {
  const member = await members.find(entry.team_id, memberId);
  const team = await teams.find(entry.team_id);
  if (!member || !team || roleIn(team, memberId) === null) return null;
  return {
    member,
    facts: [
      { label: 'Team', value: team.name },
      { label: 'Time', value: timeText(new Date(entry.occurred_at)) },
    ],
  };
}
