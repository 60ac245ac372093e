import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG } from '@simplewebauthn/server/helpers';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { NewCredential } from '@tollgate/contracts/accounts/passkey';
import type { createPasskey as contract } from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { created } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeOwnAccount } from '../members/change-own-account.ts';
import { changedMember, type Member } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { firstRecoveryCodes } from '../second-factor/recovery-codes.ts';
import { CHALLENGE_LIFETIME_MS, consumeChallenge, createChallenge } from './challenges.ts';
import { requireRoomForPasskey } from './member-passkeys.ts';
import { newPasskey, type Passkey } from './passkey.ts';
import { userHandleOf } from './user-handle.ts';

/**
 * What passkeys may sign with, the preferred first: every authenticator supports one of them. The library would otherwise ask
 * Node.js for post-quantum signatures, whose support is experimental and prints a warning.
 */
const SIGNATURE_ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

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

/**
 * Second step: stores the passkey that signed the challenge. From here on, the password alone is not enough to sign in. Returns
 * the recovery codes once if this is the first second factor, else none. Throws `forbidden`, `conflict`, `invalid-request`.
 */
export async function createPasskey(
  context: Context,
  actor: MemberActor,
  request: Static<typeof contract.request>,
): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
  const { member } = await findActingMember(context, actor);
  const name = parseName(request.name);
  const registration = await verifyRegistration(context, member, request.credential);
  const { transports } = request.credential;
  const fields = { name, transports, ...credentialFields(registration) };
  const passkey = newPasskey(fields, new Date(context.clock.now()));
  let recoveryCodes: string[] = [];
  await changeOwnAccount(
    context,
    actor,
    'member.passkey_added',
    async (before, now) => {
      requireRoomForPasskey(before);
      if (await context.members.findByCredentialId(passkey.credential_id))
        throw new Problem('conflict', 'This passkey was already added.');
      const recovery = firstRecoveryCodes(before);
      recoveryCodes = recovery.codes;
      const passkeys = [...before.passkeys, passkey];
      return changedMember(before, { passkeys, recovery_code_digests: recovery.digests }, now);
    },
    () => ({ name: created(name) }),
  );
  return { passkey, recoveryCodes };
}

async function verifyRegistration(
  context: Context,
  member: Member,
  credential: NewCredential,
): Promise<Registration> {
  const purpose = { purpose: 'registration' as const, member_id: member._id };
  const challenge = await consumeChallenge(context, credential.client_data, purpose);
  if (challenge === null) throw notStarted();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: credential.client_data,
        attestationObject: credential.attestation_object,
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: context.relyingParty.origin,
    expectedRPID: context.relyingParty.id,
    supportedAlgorithmIDs: SIGNATURE_ALGORITHMS,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw invalidCredential();
  return registrationInfo;
}

function credentialFields({ credential, credentialBackedUp }: Registration) {
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    backed_up: credentialBackedUp,
  };
}

function notStarted(): Problem {
  return new Problem(
    'conflict',
    'No setup of a passkey is open: it was not started, was used, or expired after five minutes. Start it again.',
  );
}

function invalidCredential(): Problem {
  return new Problem(
    'invalid-request',
    'The passkey is not valid for this site, or its device did not verify you. Start again, and use a PIN or biometrics.',
  );
}
