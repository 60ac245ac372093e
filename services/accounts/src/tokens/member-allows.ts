import { roleAtLeast } from '@tollgate/contracts/platform/roles';
import type { Member } from '../members/member.ts';
import { roleIn, type Team } from '../teams/team.ts';
import type { ApiToken } from './api-token.ts';

/**
 * Whether the member for whom a token acts still has at least the role of the token in the team, and has not ended their sessions
 * since. A token of the team acts for nobody, and outlives its creator's membership.
 */
export function memberAllows(
  team: Team,
  member: Member | null,
  token: Pick<ApiToken, 'acts_for' | 'session_epoch' | 'role'>,
): boolean {
  if (token.acts_for === null) return true;
  const role = roleIn(team, token.acts_for);
  return role !== null && roleAtLeast(role, token.role) && !isEndedByMember(token, member);
}

/** A login ends with the sessions of its member: when they end all of them, and with a new password. */
export function isEndedByMember(
  { acts_for, session_epoch }: Pick<ApiToken, 'acts_for' | 'session_epoch'>,
  member: Member | null,
): boolean {
  return acts_for !== null && session_epoch !== member?.session_epoch;
}
