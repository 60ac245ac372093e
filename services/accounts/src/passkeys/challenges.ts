import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { digestToken, newOpaqueToken } from '../opaque-token.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { type ChallengePurpose, TO_SIGN_IN } from './challenge-store.ts';

/** Enough to fetch a security key or a phone. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/**
 * Returns the options with which a browser asks for any passkey of this site. They name no credentials: an email would
 * otherwise reveal whether its account has some.
 */
export async function createSignInChallenge(context: Context): Promise<object> {
  return generateAuthenticationOptions(await challengeOptions(context, TO_SIGN_IN));
}

/**
 * Returns the options with which a browser asks the member for one of their passkeys, to confirm their identity. Throws `forbidden`,
 * `conflict`, `sso-required`.
 */
export async function createReauthenticationChallenge(context: Context, actor: MemberActor): Promise<object> {
  const acting = await findActingMember(context, actor);
  await requirePasswordAllowed(context, acting);
  const { _id: member_id, passkeys } = acting.member;
  if (passkeys.length === 0)
    throw new Problem('conflict', 'You have no passkey. Confirm your identity with your password.');
  return generateAuthenticationOptions({
    ...(await challengeOptions(context, { purpose: 'reauthentication', member_id })),
    // The device then offers no passkey of another account.
    allowCredentials: passkeys.map(({ credential_id }) => ({ id: credential_id })),
  });
}

async function challengeOptions(context: Context, purpose: ChallengePurpose) {
  return {
    rpID: context.relyingParty.id,
    challenge: await createChallenge(context, purpose),
    userVerification: 'required' as const,
    timeout: CHALLENGE_LIFETIME_MS,
  };
}

/** Creates a challenge, and returns its bytes. */
export async function createChallenge(
  context: Context,
  purpose: ChallengePurpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const { token, digest } = newOpaqueToken();
  const expires_at = new Date(context.clock.now() + CHALLENGE_LIFETIME_MS);
  await context.challenges.insert({ _id: digest, ...purpose, expires_at });
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
