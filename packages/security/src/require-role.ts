import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { mayRead, type RequiredRole, roleAtLeast } from '@tollgate/contracts/platform/roles';

/** Throws Problem `forbidden` unless the actor has the role or a higher one. `action` completes "You cannot …". */
export function requireRole({ role }: Pick<Actor, 'role'>, required: RequiredRole, action: string): void {
  if (roleAtLeast(role, required)) return;
  throw new Problem(
    'forbidden',
    `You cannot ${action}: this requires the ${required} role, and your role is ${role}.`,
  );
}

/** Also allows an auditor, who reads everything. `action` must change nothing. Throws the same error as `requireRole`. */
export function requireRoleToRead(actor: Pick<Actor, 'role'>, required: RequiredRole, action: string): void {
  if (!mayRead(actor.role, required)) requireRole(actor, required, action);
}
