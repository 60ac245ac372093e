import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { recordUse } from '../second-factor/second-factor.ts';
import type { ChallengePurpose } from './challenge-store.ts';
import { consumeChallenge } from './challenges.ts';
import { withPasskey } from './member-passkeys.ts';
import type { Passkey } from './passkey.ts';
import { isUserHandleOf } from './user-handle.ts';

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

/**
 * The account with the use of its passkey recorded; null when the assertion is not one of this member for an open challenge with
 * this purpose, or a concurrent request changed the account. The challenge is used up in any case.
 */
export async function usePasskey(
  context: Context,
  member: Member,
  assertion: PasskeyAssertion,
  purpose: ChallengePurpose,
): Promise<Member | null> {
  const challenge = await consumeChallenge(context, assertion.client_data, purpose);
  const passkey = member.passkeys.find(({ credential_id }) => credential_id === assertion.id);
  if (challenge === null || !passkey || !isUserHandleOf(member._id, assertion.user_handle)) return null;
  const verified = await verifyAssertion(context, passkey, assertion, challenge);
  if (verified === null) return null;
  const last_used_at = new Date(context.clock.now());
  return recordUse(context, member, {
    passkeys: withPasskey(member, passkey.id, { ...verified, last_used_at }),
  });
}

/** Null when the signature, the site, the counter, or the verification of the user is not as required. */
async function verifyAssertion(
  { relyingParty }: Context,
  passkey: Passkey,
  assertion: PasskeyAssertion,
  challenge: string,
): Promise<Pick<Passkey, 'counter' | 'backed_up'> | null> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: assertion.id,
      rawId: assertion.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: assertion.client_data,
        authenticatorData: assertion.authenticator_data,
        signature: assertion.signature,
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => REJECTED);
  if (!verified) return null;
  return { counter: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp };
}

/** The library throws for each check that fails. */
const REJECTED = { verified: false, authenticationInfo: { newCounter: 0, credentialBackedUp: false } };
