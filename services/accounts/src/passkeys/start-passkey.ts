import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { CHALLENGE_LIFETIME_MS, createChallenge } from './challenges.ts';
import { requireRoomForPasskey } from './member-passkeys.ts';
import { SIGNATURE_ALGORITHMS } from './signature-algorithms.ts';
import { userHandleOf } from './user-handle.ts';

/**
 * First step: returns the options with which a browser creates a passkey. Throws `forbidden`, `conflict`, `invalid-request`,
 * `too-many-attempts`.
 */
export async function startPasskey(
  context: Context,
  actor: MemberActor,
  { current_password }: { current_password: string },
): Promise<object> {
  const { member, team } = await findActingMember(context, actor);
  requireRoomForPasskey(member);
  await requirePassword(context, actor, member, current_password);
  const { id: rpID, name: rpName } = context.relyingParty;
  return generateRegistrationOptions({
    rpID,
    rpName,
    challenge: await createChallenge(context, { purpose: 'registration', member_id: member._id }),
    userID: userHandleOf(member._id),
    userName: member.email ?? member._id,
    // A person can have accounts in several teams with one email.
    userDisplayName: `${member.name} (${team.name})`,
    excludeCredentials: member.passkeys.map(({ credential_id }) => ({ id: credential_id })),
    attestationType: 'none',
    // One passkey is then two factors, and a sign-in needs no email: the device verifies its user, and knows the member.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: SIGNATURE_ALGORITHMS,
    timeout: CHALLENGE_LIFETIME_MS,
  });
}
