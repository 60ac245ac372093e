import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { StoredPassword } from './password.ts';

/**
 * Hashes a password that a member chose.
 *
 * @param given.pointer field of the request
 * @throws Problem `invalid-request` for a leaked password, `unavailable`
 */
export async function hashNewPassword(
  { passwords, leakedPasswords }: Pick<Context, 'passwords' | 'leakedPasswords'>,
  given: { password: string; pointer: string; address: string | null },
): Promise<StoredPassword> {
  if (await leakedPasswords.has(given.password)) {
    throw new Problem('invalid-request', 'The password was published in a data leak. Choose another one.', {
      errors: [
        {
          pointer: given.pointer,
          code: 'leaked',
          detail: 'This password was published in a data leak, so attackers try it. Choose another one.',
        },
      ],
    });
  }
  return passwords.hash(given.password, given.address);
}
