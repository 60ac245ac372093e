import { type Actor, type Role, roleAtLeast } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import { roleIn, type Team } from '../teams/team.ts';
import { notInTeam } from './acting-member.ts';

/** Throws `forbidden` unless the actor has the role, or a greater one, in the team as stored. `action` completes "You may not …". */
export function requireRole(team: Team, actor: Actor, required: Role, action: string): void {
  const role = roleIn(team, actor.member_id);
  if (role === null) throw notInTeam();
  if (roleAtLeast(role, required)) return;
  throw new Problem(
    'forbidden',
    `You may not ${action}: it needs the role ${required}, and you are ${role}.`,
  );
}
