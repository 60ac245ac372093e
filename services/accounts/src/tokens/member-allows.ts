import { roleAtLeast } from '@tollgate/contracts/roles';
import { roleIn, type Team } from '../teams/team.ts';
import type { ApiToken } from './api-token.ts';

/**
 * Whether the member for whom a token acts still has at least the role of the token in the team. A token of the team acts
 * for nobody, and outlives its creator's membership.
 */
export function memberAllows(team: Team, { actsFor, role }: Pick<ApiToken, 'actsFor' | 'role'>): boolean {
  if (actsFor === null) return true;
  const memberRole = roleIn(team, actsFor);
  return memberRole !== null && roleAtLeast(memberRole, role);
}
