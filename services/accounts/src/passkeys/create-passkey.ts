import { type VerifiedRegistrationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { NewCredential } from '@tollgate/contracts/accounts/passkey';
import type { createPasskey as contract } from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember, ownAccount } from '../access/acting-member.ts';
import { created, memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changedMember, type Member } from '../members/member.ts';
import { firstRecoveryCodes } from '../second-factor/recovery-codes.ts';
import { consumeChallenge } from './challenges.ts';
import { requireRoomForPasskey } from './member-passkeys.ts';
import { newPasskey, type Passkey } from './passkey.ts';
import { SIGNATURE_ALGORITHMS } from './signature-algorithms.ts';

type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

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
  await changeAudited(
    context,
    context.members,
    ownAccount(actor),
    async (before, now) => {
      requireRoomForPasskey(before);
      if (await context.members.findByCredentialId(passkey.credential_id))
        throw new Problem('conflict', 'This passkey was already added.');
      const recovery = firstRecoveryCodes(before);
      recoveryCodes = recovery.codes;
      const passkeys = [...before.passkeys, passkey];
      return changedMember(before, { passkeys, recovery_code_digests: recovery.digests }, now);
    },
    memberEntry('member.passkey_added', actorAuthor(actor), () => ({ name: created(name) })),
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
