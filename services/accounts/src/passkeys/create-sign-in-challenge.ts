import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Context } from '../context.ts';
import { CHALLENGE_LIFETIME_MS, createChallenge } from './challenges.ts';

/**
 * Returns the options with which a browser asks for any passkey of this site. They name no credentials: an email would
 * otherwise reveal whether its account has some.
 */
export async function createSignInChallenge(context: Context): Promise<object> {
  return generateAuthenticationOptions({
    rpID: context.relyingParty.id,
    challenge: await createChallenge(context, { type: 'sign-in' }),
    userVerification: 'required',
    timeout: CHALLENGE_LIFETIME_MS,
  });
}
