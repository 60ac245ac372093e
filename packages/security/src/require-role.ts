import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { type Role, roleAtLeast } from '@tollgate/contracts/platform/roles';

/** Throws Problem `forbidden` unless the actor has the role or a higher one. `action` completes "You cannot …". */
export function requireRole(actor: Pick<Actor, 'role'>, required: Role, action: string): void {
  if (roleAtLeast(actor.role, required)) return;
  throw new Problem(
    'forbidden',
    `You cannot ${action}: this requires the ${required} role, and your role is ${actor.role}.`,
  );
}
