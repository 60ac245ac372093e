import { error } from '@sveltejs/kit';
import { type AdminRoute, roleAllows } from '@tollgate/contracts/admin-api/route';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { mayRead, type Role } from '@tollgate/contracts/platform/roles';

/** Whether a member of this role may call the route: pages do not offer what the service would reject. */
export function allows(
  { access }: Pick<AdminRoute, 'access'>,
  role: Role,
  environment: Environment = 'live',
): boolean {
  return roleAllows(access, role, environment);
}

/** Whether a member may read all API tokens of the team. The accounts service enforces it. */
export function mayReadTokens(role: Role): boolean {
  return mayRead(role, 'admin');
}

/** Rejects a page whose form this role may not send. `doing` is the subject of the sentence: `Creating live keys`. */
export function requireAccess(
  { access }: Pick<AdminRoute, 'access'>,
  doing: string,
  role: Role,
  environment: Environment = 'live',
): void {
  if (roleAllows(access, role, environment)) return;
  const required = requiredRole(access, environment);
  const who = required.startsWith('owner') ? 'an owner' : 'an owner or admin';
  error(403, `${doing} requires the ${required} role. Ask ${who} of your team.`);
}

function requiredRole(access: AdminRoute['access'], environment: Environment): string {
  if (typeof access === 'string') return access;
  return 'toRead' in access ? `${access.toRead} or auditor` : access[environment];
}
