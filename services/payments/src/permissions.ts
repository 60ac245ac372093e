import { type Actor, type Role, roleAtLeast } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';

/** Throws `forbidden` unless the actor has the role or a greater one. `action` completes "You may not …". */
export function requireRole(actor: Actor, role: Role, action: string): void {
  if (roleAtLeast(actor.role, role)) return;
  throw new Problem(
    'forbidden',
    `You may not ${action}: it needs the role ${role}, and you are ${actor.role}.`,
  );
}
