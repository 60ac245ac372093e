import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { CHALLENGE_LIFETIME_MS, createChallenge } from './challenges.ts';

/**
 * Returns the options with which a browser asks the member for one of their passkeys, to confirm their identity. Throws `forbidden`,
 * `conflict`, `sso-required`.
 */
export async function createReauthenticationChallenge(context: Context, actor: MemberActor): Promise<object> {
  const acting = await findActingMember(context, actor);
  await requirePasswordAllowed(context, acting);
  const { id: memberId, passkeys } = acting.member;
  if (passkeys.length === 0)
    throw new Problem('conflict', 'You have no passkey. Confirm your identity with your password.');
  return generateAuthenticationOptions({
    rpID: context.relyingParty.id,
    challenge: await createChallenge(context, { type: 'reauthentication', memberId }),
    // The device then offers no passkey of another account.
    allowCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
    userVerification: 'required',
    timeout: CHALLENGE_LIFETIME_MS,
  });
}
