import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Actor, MAX_ACTOR_TOKEN_AGE_S } from '@tollgate/contracts/actor';
import { openReader } from '@tollgate/contracts/open-reader';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { jwtVerify, SignJWT } from 'jose';

/** RFC 8037 §3.1 */
const ALGORITHM = 'EdDSA';
/** Distinguishes actor tokens from other tokens that are signed with the same key (RFC 8725 §3.11). */
const TOKEN_TYPE = 'tollgate-actor+jwt';

/** The clocks of two hosts differ slightly. Without this tolerance, tokens "from the future" would be rejected. */
const CLOCK_TOLERANCE_S = 5;
/** With the tolerance added, no token is accepted beyond the maximum age of the contract. */
const LIFETIME_S = MAX_ACTOR_TOKEN_AGE_S - CLOCK_TOLERANCE_S;

/** Signs the actor of an RPC, as an Ed25519 JWT that is valid for at most 60 s. */
export function createActorSigner(privateKeyPem: string, clock: Clock): (actor: Actor) => Promise<string> {
  const privateKey = createPrivateKey(privateKeyPem);
  return (actor) => {
    const issuedAtS = Math.floor(clock.now() / 1000);
    return new SignJWT({ actor })
      .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE })
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + LIFETIME_S)
      .sign(privateKey);
  };
}

/**
 * Verifies an actor token with each of the public keys (two during a key rotation).
 *
 * @throws Problem `forbidden`
 */
export function createActorVerifier(
  publicKeyPems: string[],
  clock: Clock,
): (token: string) => Promise<Actor> {
  const publicKeys = publicKeyPems.map((pem) => createPublicKey(pem));
  return async (token) => {
    for (const key of publicKeys) {
      const actor = await verify(token, key, clock);
      if (actor) return actor;
    }
    throw new Problem(
      'forbidden',
      'The actor token is missing, has expired, or was not signed by the accounts service.',
    );
  };
}

async function verify(token: string, key: KeyObject, clock: Clock): Promise<Actor | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TOKEN_TYPE,
      requiredClaims: ['iat', 'exp'],
      maxTokenAge: LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(clock.now()),
    });
    return openReader(Actor).read(payload['actor']);
  } catch {
    return null;
  }
}
