import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Actor, MAX_ACTOR_TOKEN_AGE_S } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { jwtVerify, SignJWT } from 'jose';
import { Compile } from 'typebox/compile';

/** RFC 8037 §3.1 */
const ALGORITHM = 'EdDSA';
/** Keeps a token that some other part signs with the same key from passing as an actor (RFC 8725 §3.11). */
const TOKEN_TYPE = 'tollgate-actor+jwt';

/** Clocks of two hosts differ a little. Without this tolerance, a token "from the future" is rejected. */
const CLOCK_TOLERANCE_S = 5;
/** With the tolerance on top, no token passes when it is older than the contract allows. */
const LIFETIME_S = MAX_ACTOR_TOKEN_AGE_S - CLOCK_TOLERANCE_S;

const actorSchema = Compile(Actor);

/** Signs who an RPC acts as: an Ed25519 JWT that passes for at most 60 s from its issue. */
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
 * Checks an actor token against the public keys, any of which may have signed it (two while the key is being changed).
 * Throws Problem `forbidden`.
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
    const actor = payload['actor'];
    return actorSchema.Check(actor) ? actor : null;
  } catch {
    return null;
  }
}
