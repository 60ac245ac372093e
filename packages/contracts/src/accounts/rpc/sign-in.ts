import Type from 'typebox';
import { ACCOUNT_LIMITS } from '../../platform/account-limits.ts';
import { Id } from '../../platform/ids.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Nullable } from '../../platform/schema.ts';
import { Time } from '../../platform/time.ts';
import { Member } from '../account.ts';
import { PasskeyAssertion, PasskeyOptions } from '../passkey.ts';
import { SINGLE_SIGN_ON_LIMITS } from '../single-sign-on.ts';
import { Code, closed, Email, Nothing, Origin, Password, Token } from './fields.ts';

/** A browser is known for at most this many members. */
const MAX_DEVICE_TOKENS = 4;

/** Encrypted claims of some 200 characters. */
const MAX_DEVICE_TOKEN_LENGTH = 1_024;

const MemberId = Id(
  'member',
  'Signs in to this account only. Another account is treated as if it did not exist, also with the same email and password.',
);

const SignedIn = Type.Object({
  token: Type.String(),
  expires_at: Time,
  member: Member,
  device_token: Nullable(
    Type.String(),
    'Send it with the next sign-in on this device, within 180 days. It is not a credential. A new password makes it invalid.',
  ),
});

/**
 * The password alone is enough only for a member without a second factor. Takes no idempotency key: the caller of a repeated
 * sign-in needs the token, and an unused session expires.
 */
export const signIn = rpc('accounts', 'sign_in', {
  caller: 'service',
  request: Type.Object(
    {
      email: Type.String({ maxLength: ACCOUNT_LIMITS.email }),
      password: Password,
      totp: Type.Optional(Code),
      recovery_code: Type.Optional(Code),
      passkey: Type.Optional(PasskeyAssertion),
      device_token: Type.Optional(
        Type.String({
          maxLength: MAX_DEVICE_TOKEN_LENGTH,
          description:
            'The `device_token` of an earlier sign-in on this device. Failed attempts of other devices then do not delay it. A token that is not valid, or no longer, is ignored.',
        }),
      ),
      member_id: Type.Optional(MemberId),
      ...Origin,
    },
    closed,
  ),
  reply: SignedIn,
});

/** Creates a challenge that a passkey signs, once and within five minutes. Takes no idempotency key: an unused one expires. */
export const createPasskeyChallenge = rpc('accounts', 'create_passkey_challenge', {
  caller: 'service',
  request: Nothing,
  reply: PasskeyOptions,
});

/** A passkey is two factors: the device, and the PIN or biometrics that the device verifies. */
export const signInWithPasskey = rpc('accounts', 'sign_in_with_passkey', {
  caller: 'service',
  request: Type.Object(
    {
      passkey: PasskeyAssertion,
      device_tokens: Type.Optional(
        Type.Array(Type.String({ maxLength: MAX_DEVICE_TOKEN_LENGTH }), {
          maxItems: MAX_DEVICE_TOKENS,
          description:
            'Each `device_token` of earlier sign-ins on this device: the passkey names the member.',
        }),
      ),
      member_id: Type.Optional(MemberId),
      ...Origin,
    },
    closed,
  ),
  reply: SignedIn,
});

/**
 * Starts a sign-in with the identity provider of the team that verified the domain of the email. Errors: `not-found` without such a
 * team. Takes no idempotency key: an unused authorization expires.
 */
export const startSingleSignOn = rpc('accounts', 'start_single_sign_on', {
  caller: 'service',
  request: Type.Object(
    {
      email: Email,
      must_authenticate_again: Type.Optional(
        Type.Boolean({
          description:
            'Whether the identity provider must authenticate the person, even if they are signed in there: to confirm their identity. False by default.',
        }),
      ),
      ...Origin,
    },
    closed,
  ),
  reply: Type.Object({
    authorization_url: Type.String({ description: 'Page of the identity provider.' }),
    browser_token: Type.String({
      description:
        'Proves that the browser that returns from the identity provider is the one that started. Keep it in a cookie of this browser only.',
    }),
    expires_at: Time,
  }),
});

/**
 * Creates a session from the response of the identity provider. An authorization is used once. The session is as recently authenticated
 * as the claim `auth_time` says, and never without it.
 */
export const finishSingleSignOn = rpc('accounts', 'finish_single_sign_on', {
  caller: 'service',
  request: Type.Object(
    {
      team_id: Id('team', 'From the path of the redirect URI'),
      browser_token: Token,
      response: Type.String({
        maxLength: SINGLE_SIGN_ON_LIMITS.response,
        description: 'The query with which the identity provider redirected to the redirect URI, unchanged.',
      }),
      ...Origin,
    },
    closed,
  ),
  reply: Type.Object({ token: Type.String(), expires_at: Time, member: Member }),
});
