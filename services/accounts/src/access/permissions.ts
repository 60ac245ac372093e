import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { RequiredRole, Role } from '@tollgate/contracts/platform/roles';
import {
  requireRole as requireRoleOf,
  requireRoleToRead as requireRoleToReadOf,
} from '@tollgate/security/require-role';
import { roleIn, type Team } from '../teams/team.ts';
import { notInTeam } from './acting-member.ts';

/**
 * Throws `forbidden` unless the actor has at least this role in the team as stored. `action` completes "You cannot …".
 */
export function requireRole(team: Team, actor: Actor, required: RequiredRole, action: string): void {
  requireRoleOf({ role: storedRole(team, actor) }, required, action);
}

/** Also allows an auditor, who reads everything. `action` must change nothing. */
export function requireRoleToRead(team: Team, actor: Actor, required: RequiredRole, action: string): void {
  requireRoleToReadOf({ role: storedRole(team, actor) }, required, action);
}

/** The role of an API token never changes. */
function storedRole(team: Team, actor: Actor): Role {
  const role = actor.type === 'member' ? roleIn(team, actor.member_id) : actor.role;
  if (role === null) throw notInTeam();
  return role;
}
