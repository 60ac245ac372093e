import { Problem } from '@tollgate/contracts/platform/problem';
import { hasSecondFactor, type Member } from '../members/member.ts';
import type { Team } from '../teams/team.ts';

/** Throws `conflict` when a team that requires a second factor would have a member without one. */
export function requireFactorLeft(team: Team, after: Member): void {
  if (team.secondFactorRequiredFrom === null || hasSecondFactor(after)) return;
  throw new Problem(
    'conflict',
    'Your team requires a second factor, and this is your last one. Add another one first.',
  );
}
