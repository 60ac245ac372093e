import type { Context } from '../context.ts';
import type { Attempt } from '../throttle/attempt-throttle.ts';
import type { StoredPassword } from './password.ts';

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
