import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import type { Attempt } from '../throttle/attempt-throttle.ts';
import type { StoredPassword } from './password.ts';

/**
 * Resolves when the signed-in member has given the correct password: an unattended session must not suffice to take
 * over the account. Guesses are throttled like sign-ins, and counted separately. Throws `conflict` for a member without a
 * password, `invalid-request`, `too-many-attempts`, `unavailable`.
 */
export async function requirePassword(
  context: Context,
  { address }: MemberActor,
  member: Member,
  password: string,
): Promise<void> {
  if (member.password === null) {
    throw new Problem(
      'conflict',
      'You have no password. To set one, ask an owner of your team for a reset link; the only owner asks the operator.',
    );
  }
  const attempt = await context.throttle.begin({ kind: 'signed-in', name: member._id });
  if (!(await verifyAttempt(context, attempt, { password, address }, member.password))) {
    throw new Problem('invalid-request', 'The current password is incorrect.', {
      errors: [
        { pointer: '/current_password', code: 'invalid', detail: 'This is not your current password.' },
      ],
    });
  }
  await attempt.succeeded();
}

/**
 * Whether the password of this attempt is correct; `stored` is null when there is no account. An attempt that could not
 * be verified because too many wait is not counted. Throws `unavailable`.
 */
export async function verifyAttempt(
  context: Context,
  attempt: Attempt,
  given: { password: string; address: string | null },
  stored: StoredPassword | null,
): Promise<boolean> {
  try {
    return await context.passwords.verify(given.password, stored, given.address);
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
}
