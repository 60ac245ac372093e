import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import { digestToken, newOpaqueToken } from '../opaque-token.ts';
import type { ChallengePurpose } from './challenge-store.ts';

/** Enough to fetch a security key or a phone. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** Creates a challenge, and returns its bytes. */
export async function createChallenge(
  context: Context,
  purpose: ChallengePurpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const { token, digest } = newOpaqueToken();
  await context.challenges.insert(digest, purpose, new Date(context.clock.now() + CHALLENGE_LIFETIME_MS));
  return Uint8Array.from(Buffer.from(token, 'base64url'));
}

/**
 * Consumes the challenge that these client data contain, and returns it. Null when it is not an open challenge for this
 * purpose: a response works once, whether or not it is valid.
 *
 * @param clientData in base64url
 */
export async function consumeChallenge(
  context: Context,
  clientData: string,
  purpose: ChallengePurpose,
): Promise<string | null> {
  const challenge = challengeIn(clientData);
  if (challenge === null) return null;
  const now = new Date(context.clock.now());
  return (await context.challenges.consume(digestToken(challenge), purpose, now)) ? challenge : null;
}

function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
