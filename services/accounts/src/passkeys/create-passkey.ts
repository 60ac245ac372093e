import { type VerifiedRegistrationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { NewCredential } from '@tollgate/contracts/accounts/passkey';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { findActingMember } from '../access/acting-member.ts';
import { created, memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
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
  request: { name: string; credential: NewCredential },
): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
  const { member } = await findActingMember(context, actor);
  const name = parseName(request.name);
  const registration = await verifyRegistration(context, member, request.credential);
  const { transports } = request.credential;
  const passkey = newPasskey(
    { name, transports, ...credentialFields(registration) },
    new Date(context.clock.now()),
  );
  try {
    return { passkey, recoveryCodes: await addPasskey(context, actor, passkey) };
  } catch (error) {
    if (isDuplicateKey(error)) throw alreadyAdded();
    throw error;
  }
}

async function addPasskey(context: Context, actor: MemberActor, passkey: Passkey): Promise<string[]> {
  const author = actorAuthor(actor);
  let codes: string[] = [];
  await changeMember(context, { teamId: actor.team_id, memberId: actor.member_id }, (before, now) => {
    requireRoomForPasskey(before);
    // The unique index does not see a second one in the same document.
    if (before.passkeys.some(({ credentialId }) => credentialId === passkey.credentialId))
      throw alreadyAdded();
    const recovery = firstRecoveryCodes(before);
    codes = recovery.codes;
    const passkeys = [...before.passkeys, passkey];
    const after = changedMember(before, { passkeys, recoveryCodeDigests: recovery.digests }, now);
    const changes = { name: created(passkey.name) };
    return { after, audit: [memberAuditEntry('member.passkey_added', author, after, now, changes)] };
  });
  return codes;
}

async function verifyRegistration(
  context: Context,
  member: Member,
  credential: NewCredential,
): Promise<Registration> {
  const purpose = { type: 'registration' as const, memberId: member.id };
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
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    isSynced: credentialBackedUp,
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

function alreadyAdded(): Problem {
  return new Problem('conflict', 'This passkey was already added.');
}
