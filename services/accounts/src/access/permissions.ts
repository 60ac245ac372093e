import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Role } from '@tollgate/contracts/platform/roles';
import { requireRole as requireRoleOf } from '@tollgate/security/require-role';
import { roleIn, type Team } from '../teams/team.ts';
import { notInTeam } from './acting-member.ts';

/**
 * Throws `forbidden` unless the actor has at least this role in the team as stored. `action` completes "You cannot …".
 */
export function requireRole(team: Team, actor: Actor, required: Role, action: string): void {
  // The role of an API token never changes.
  const role = actor.type === 'member' ? roleIn(team, actor.member_id) : actor.role;
  if (role === null) throw notInTeam();
  requireRoleOf({ role }, required, action);
}
