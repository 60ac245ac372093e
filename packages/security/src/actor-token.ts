import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Actor, MAX_ACTOR_TOKEN_AGE_S } from '@tollgate/contracts/accounts/actor';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { jwtVerify, SignJWT } from 'jose';
import { confirmationOf, provenRequestId, splitProof } from './actor-proof.ts';

/** RFC 8037 §3.1 */
const ALGORITHM = 'EdDSA';
/** Distinguishes actor tokens from other tokens that are signed with the same key (RFC 8725 §3.11). */
const TOKEN_TYPE = 'tollgate-actor+jwt';

/** The clocks of two hosts differ slightly. Without this tolerance, tokens "from the future" would be rejected. */
const CLOCK_TOLERANCE_S = 5;
/** With the tolerance added, no token is accepted beyond the maximum age of the contract. */
const LIFETIME_S = MAX_ACTOR_TOKEN_AGE_S - CLOCK_TOLERANCE_S;

/**
 * Signs an actor, as an Ed25519 JWT that is valid for at most 60 s: for RPCs with these subjects only, or for each RPC that the
 * process with this key proves to make.
 */
export type SignActor = (actor: Actor, validFor: string[] | { proofKey: string }) => Promise<string>;

/**
 * Resolves to the actor of a token that is valid for an RPC with this subject. With a proof, the admin request of the actor is that of
 * the proof. Throws Problem `forbidden`.
 */
export type VerifyActor = (token: string, subject: string) => Promise<Actor>;

export function createActorSigner(privateKeyPem: string, clock: Clock): SignActor {
  const privateKey = createPrivateKey(privateKeyPem);
  return (actor, validFor) => {
    const issuedAtS = Math.floor(clock.now() / 1000);
    const limit = Array.isArray(validFor) ? { aud: validFor } : { cnf: confirmationOf(validFor.proofKey) };
    return new SignJWT({ actor, ...limit })
      .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE })
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + LIFETIME_S)
      .sign(privateKey);
  };
}

/**
 * Verifies an actor token with each of the public keys (two during a key rotation).
 *
 * @param options.onRejected called for every token that is not valid, for a metric
 */
export function createActorVerifier(
  publicKeyPems: string[],
  clock: Clock,
  { onRejected = () => undefined }: { onRejected?: () => void } = {},
): VerifyActor {
  const publicKeys = publicKeyPems.map((pem) => createPublicKey(pem));
  return async (token, subject) => {
    for (const key of publicKeys) {
      const actor = await verify(token, { key, subject, clock });
      if (actor) return actor;
    }
    onRejected();
    throw new Problem(
      'forbidden',
      'The actor token is missing, has expired, was issued for another call, or was not signed by the accounts service.',
    );
  };
}

async function verify(
  text: string,
  expected: { key: KeyObject; subject: string; clock: Clock },
): Promise<Actor | null> {
  const { key, subject, clock } = expected;
  const { token, proof } = splitProof(text);
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TOKEN_TYPE,
      requiredClaims: ['iat', 'exp'],
      maxTokenAge: LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(clock.now()),
    });
    const actor = openReader(Actor).read(payload['actor']);
    const { aud, cnf: confirmation } = payload;
    if (confirmation === undefined) return [aud].flat().includes(subject) ? actor : null;
    const requestId = provenRequestId(token, proof, { subject, confirmation });
    return actor && requestId !== null ? { ...actor, request_id: requestId } : null;
  } catch {
    return null;
  }
}
