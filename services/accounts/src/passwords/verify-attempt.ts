import type { Context } from '../context.ts';
import type { Attempt } from '../throttle/attempt-throttle.ts';
import type { StoredPassword } from './password.ts';

/**
 * Whether the password of this attempt is right; `stored` is null where there is no account. An attempt that nobody could
 * judge, because too many wait, counts for nothing. Throws `unavailable`.
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
