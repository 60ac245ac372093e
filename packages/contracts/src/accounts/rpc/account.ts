import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { Page } from '../../platform/page.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Time } from '../../platform/time.ts';
import { Me, Session } from '../account.ts';
import { NewCredential, Passkey, PasskeyAssertion, PasskeyName, PasskeyOptions } from '../passkey.ts';
import { Code, Email, Name, NewPassword, NoticeTopics, Password } from './fields.ts';

const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String()),
});

export const getMe = rpc('accounts', 'me', 'member', { reply: Me });

export const updateProfile = rpc('accounts', 'update_profile', 'member', {
  request: {
    name: Type.Optional(Name),
    team_mail_topics: Type.Optional(NoticeTopics),
  },
  minProperties: 1,
  reply: Me,
});

/** The member signs in with the new email from then on. Sessions go on. */
export const changeEmail = rpc('accounts', 'change_email', 'member', {
  request: { current_password: Password, email: Email },
  reply: Me,
});

/** Ends every other session of the member. */
export const changePassword = rpc('accounts', 'change_password', 'member', {
  request: { current_password: Password, new_password: NewPassword },
});

/**
 * First step of the enrollment. Sign-in does not change until `confirm_totp` proves that the app has the secret. Takes no
 * idempotency key: a repeated call replaces the secret.
 */
export const startTotp = rpc('accounts', 'start_totp', 'member', {
  request: { current_password: Password },
  reply: Type.Object({
    /** Base32, for manual entry. */
    secret: Type.String(),
    /** The same as an `otpauth://` URI, for a QR code. */
    uri: Type.String(),
  }),
});

export const confirmTotp = rpc('accounts', 'confirm_totp', 'member', {
  request: { totp: Code },
  reply: RecoveryCodes,
});

export const disableTotp = rpc('accounts', 'disable_totp', 'member', {
  request: { current_password: Password },
});

export const replaceRecoveryCodes = rpc('accounts', 'replace_recovery_codes', 'member', {
  request: { current_password: Password },
  reply: RecoveryCodes,
});

/**
 * Creates a challenge that one of the member's passkeys signs for `reauthenticate`, once and within five minutes. Errors: `conflict`
 * without a passkey. Takes no idempotency key: an unused challenge expires.
 */
export const createReauthenticationChallenge = rpc(
  'accounts',
  'create_reauthentication_challenge',
  'member',
  { reply: PasskeyOptions },
);

/** Confirms the identity for actions that fail with `reauthentication-required`. Takes exactly one of the fields, and applies to the session of the request. */
export const reauthenticate = rpc('accounts', 'reauthenticate', 'member', {
  request: { current_password: Type.Optional(Password), passkey: Type.Optional(PasskeyAssertion) },
  reply: Type.Object({ authenticated_at: Time }),
});

export const listSessions = rpc('accounts', 'list_sessions', 'member', { reply: Page(Session) });

export const revokeSession = rpc('accounts', 'revoke_session', 'member', {
  request: { session_id: Id('session') },
});

/** Ends all sessions of the member, including the current one. */
export const revokeAllSessions = rpc('accounts', 'revoke_all_sessions', 'member');

/** Ends the session, or revokes the API token, of the request itself. */
export const signOut = rpc('accounts', 'sign_out', 'member-or-token');

/**
 * Creates a challenge for a new passkey, to be signed within five minutes. Takes no idempotency key: an unused challenge
 * expires.
 */
export const startPasskey = rpc('accounts', 'start_passkey', 'member', {
  request: { current_password: Password },
  reply: PasskeyOptions,
});

/** Takes no idempotency key: a challenge is used once. */
export const createPasskey = rpc('accounts', 'create_passkey', 'member', {
  request: { name: PasskeyName, credential: NewCredential },
  reply: Type.Object({
    passkey: Passkey,
    recovery_codes: Type.Array(Type.String(), {
      description: 'Returned once, with the first second factor of the member; else empty',
    }),
  }),
});

export const listPasskeys = rpc('accounts', 'list_passkeys', 'member', { reply: Page(Passkey) });

export const renamePasskey = rpc('accounts', 'rename_passkey', 'member', {
  request: { passkey_id: Id('passkey'), name: PasskeyName },
  reply: Passkey,
});

export const deletePasskey = rpc('accounts', 'delete_passkey', 'member', {
  request: { passkey_id: Id('passkey'), current_password: Password },
});
