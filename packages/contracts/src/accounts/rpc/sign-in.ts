import Type from 'typebox';
import { ACCOUNT_LIMITS } from '../../platform/account-limits.ts';
import { OptionalText } from '../../platform/page.ts';
import { contractsOf } from '../../platform/rpc-contract.ts';
import { Id, Nullable, TextOfPattern, Time } from '../../platform/schema.ts';
import { Member, Team } from '../account.ts';
import { ApiToken } from '../api-token.ts';
import { PasskeyAssertion, PasskeyOptions } from '../passkey.ts';
import { SINGLE_SIGN_ON_LIMITS } from '../single-sign-on.ts';
import { Code, Email, MAX_SETUP_TOKEN_LENGTH, Name, NewPassword, Origin, Password, Token } from './fields.ts';

const rpc = contractsOf('accounts');

export const getInstallation = rpc('installation', 'service', {
  reply: Type.Object({
    is_set_up: Type.Boolean(),
    sends_mail: Type.Boolean({ description: 'Whether a mail server is configured.' }),
  }),
});

/** Works once per installation, so it needs no idempotency key. `token` is the operator's `SETUP_TOKEN`. */
export const setUp = rpc('setup', 'service', {
  request: {
    token: Type.String({ minLength: 1, maxLength: MAX_SETUP_TOKEN_LENGTH }),
    email: Email,
    name: Name,
    password: NewPassword,
    team_name: Name,
    ...Origin,
  },
  reply: Type.Object({ team: Team, member: Member }),
});

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
export const signIn = rpc('sign_in', 'service', {
  request: {
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
  reply: SignedIn,
});

/** Takes no idempotency key: an unused challenge expires. */
export const createPasskeyChallenge = rpc('create_passkey_challenge', 'service', { reply: PasskeyOptions });

/** A passkey is two factors: the device, and the PIN or biometrics that the device verifies. */
export const signInWithPasskey = rpc('sign_in_with_passkey', 'service', {
  request: {
    passkey: PasskeyAssertion,
    device_tokens: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_DEVICE_TOKEN_LENGTH }), {
        maxItems: MAX_DEVICE_TOKENS,
        description: 'Each `device_token` of earlier sign-ins on this device: the passkey names the member.',
      }),
    ),
    member_id: Type.Optional(MemberId),
    ...Origin,
  },
  reply: SignedIn,
});

/** Errors: `not-found` unless a team verified the domain of the email. Takes no idempotency key: an unused authorization expires. */
export const startSingleSignOn = rpc('start_single_sign_on', 'service', {
  request: {
    email: Email,
    must_authenticate_again: Type.Optional(
      Type.Boolean({
        description:
          'Whether the identity provider must authenticate the person, even if they are signed in there: to confirm their identity. False by default.',
      }),
    ),
    ...Origin,
  },
  reply: Type.Object({
    authorization_url: Type.String({ description: 'Page of the identity provider.' }),
    browser_token: Type.String({
      description:
        'Proves that the browser that returns from the identity provider is the one that started. Keep it in a cookie of this browser only.',
    }),
    expires_at: Time,
  }),
});

/** An authorization is used once. The session is as recently authenticated as the claim `auth_time` says, and never without it. */
export const finishSingleSignOn = rpc('finish_single_sign_on', 'service', {
  request: {
    team_id: Id('team', 'From the path of the redirect URI'),
    browser_token: Token,
    response: Type.String({
      maxLength: SINGLE_SIGN_ON_LIMITS.response,
      description: 'The query with which the identity provider redirected to the redirect URI, unchanged.',
    }),
    ...Origin,
  },
  reply: Type.Object({ token: Type.String(), expires_at: Time, member: Member }),
});

/** Takes no idempotency key: a repeated call mails new links. */
export const requestResetLink = rpc('request_reset_link', 'service', {
  request: { email: Email, ...Origin },
});

export const getResetLink = rpc('get_reset_link', 'service', {
  request: { token: Token },
  reply: Type.Object({ email: Type.String(), expires_at: Time }),
});

export const resetPassword = rpc('reset_password', 'service', {
  request: { token: Token, password: NewPassword, ...Origin },
});

export const createResetLink = rpc('create_reset_link', 'member', {
  idempotent: true,
  request: {
    member_id: Id('member'),
    setup_token: OptionalText(
      MAX_SETUP_TOKEN_LENGTH,
      'The `SETUP_TOKEN` of the installation. Required for an admin of the installation.',
    ),
  },
  reply: Type.Object({ token: Nullable(Type.String(), 'Null in a replayed response'), expires_at: Time }),
});

/**
 * Creates a reset link for an owner who cannot sign in. Only the operator may call it: the NATS user proves who asks.
 * Errors: `not-found` without such an owner, `conflict` when owners of several teams have the email.
 */
export const resetOwner = rpc('reset_owner', 'service', {
  request: {
    email: Email,
    /** Needed only for an email that owners of several teams have. */
    team_id: Nullable(Id('team')),
    /** Whether the reset also turns off two-factor authentication, and removes passkeys. */
    removes_totp: Type.Boolean(),
  },
  reply: Type.Object({
    token: Type.String(),
    expires_at: Time,
    team_name: Type.String(),
    /** Whether the owner has two-factor authentication now. */
    totp_enabled: Type.Boolean(),
    passkey_count: Type.Integer({ minimum: 0 }),
  }),
});

/** Exchanges a session for the actor token that other calls carry. */
export const issueActorToken = rpc('actor_token', 'service', {
  request: {
    session_token: Token,
    ...Origin,
    /** False for a check that is not a use, such as that of an open stream: the session still expires when idle. */
    is_use: Type.Optional(Type.Boolean()),
    /** The caller's public key (Ed25519, base64url), with which it proves each use of a token for all RPCs. */
    proof_key: Type.Optional(
      TextOfPattern('^[A-Za-z0-9_-]{43}$', 'This must be an Ed25519 public key, base64url.'),
    ),
  },
  reply: Type.Object({
    actor_token: Type.String(),
    /** Whether the token is for all RPCs, each with a proof. Never for a member who must set up a second factor. */
    requires_proof: Type.Boolean({ default: false }),
    session_id: Id('session'),
    team_id: Id('team'),
    member: Member,
  }),
});

/** Exchanges the credential of an API token, like a session, for the actor token of the request's other calls. */
export const issueTokenActor = rpc('issue_token_actor', 'service', {
  request: {
    credential: Type.String({ minLength: 1, maxLength: 128 }),
    ...Origin,
    /** False for a check that is not a use, such as that of an open stream. */
    is_use: Type.Optional(Type.Boolean()),
  },
  reply: Type.Object({ actor_token: Type.String(), team_id: Id('team'), token: ApiToken }),
});
