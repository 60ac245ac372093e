import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { usePasskey } from './use-passkey.ts';

/**
 * Resolves when one of the member's passkeys signed a challenge that was created to confirm the identity of this member. Attempts are
 * counted with those of the password. Throws `invalid-request`, `too-many-attempts`.
 */
export async function requirePasskey(
  context: Context,
  member: Member,
  passkey: PasskeyAssertion,
): Promise<void> {
  const attempt = await context.throttle.begin({ kind: 'signed-in', name: member._id });
  const purpose = { purpose: 'reauthentication' as const, member_id: member._id };
  if (!(await usePasskey(context, member, passkey, purpose))) {
    throw new Problem('invalid-request', 'The passkey does not confirm your identity.', {
      errors: [
        {
          pointer: '/passkey',
          code: 'invalid',
          detail:
            'This is not a passkey of your account, its device did not verify you, or its challenge was used or has expired. Create a new challenge.',
        },
      ],
    });
  }
  await attempt.succeeded();
}
