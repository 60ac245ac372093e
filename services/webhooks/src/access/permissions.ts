import { type Actor, type Role, roleAtLeast } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';

/** Throws `forbidden` unless the actor may change endpoints and deliveries of this environment. `action` completes "You may not …". */
export function requireRoleFor(actor: Actor, environment: Environment, action: string): void {
  const role: Role = environment === 'live' ? 'admin' : 'developer';
  if (roleAtLeast(actor.role, role)) return;
  throw new Problem(
    'forbidden',
    `You may not ${action} in ${environment}: it needs the role ${role}, and you are ${actor.role}.`,
  );
}
