import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { type DeviceAuthorization, isPendingApproval } from './device-authorization.ts';
import { normalizedUserCode } from './user-code.ts';

/** The undecided login with this code. Throws `not-found`, `conflict`, `too-many-attempts`. */
export async function findUndecided(
  context: Context,
  actor: MemberActor,
  userCode: string,
): Promise<DeviceAuthorization> {
  const authorization = await findByCode(context, actor, userCode);
  if (authorization.decision) throw alreadyDecided();
  return authorization;
}

/**
 * The login with this code if it is undecided, or if this member approved it and its program has not exchanged it. Throws the same
 * errors as `findUndecided`.
 */
export async function findDeniable(
  context: Context,
  actor: MemberActor,
  userCode: string,
): Promise<DeviceAuthorization> {
  const authorization = await findByCode(context, actor, userCode);
  if (authorization.decision && !isPendingApproval(authorization, actor)) throw alreadyDecided();
  return authorization;
}

/**
 * A wrong code counts as a guess of the member: a member who finds a code of another person could make that person's program act in
 * the wrong team. A correct one does not reset the count, because a member can start logins and so know codes.
 */
async function findByCode(
  context: Context,
  actor: MemberActor,
  userCode: string,
): Promise<DeviceAuthorization> {
  const attempt = await context.throttle.begin({ kind: 'user-code', name: actor.member_id });
  const authorization = await context.deviceAuthorizations.findByUserCode(normalizedUserCode(userCode));
  if (!authorization) {
    throw new Problem('not-found', 'No login has this code. Compare it with the code in the terminal.');
  }
  await attempt.withdrawn();
  if (authorization.expires_at <= new Date(context.clock.now())) {
    throw new Problem('conflict', 'This code has expired. Start the login again in the terminal.');
  }
  return authorization;
}

export function alreadyDecided(): Problem {
  return new Problem(
    'conflict',
    'This code was already used. To log in once more, start the login again in the terminal.',
  );
}
