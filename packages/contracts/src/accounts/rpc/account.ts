import Type from 'typebox';
import { rpc } from '../../platform/rpc-contract.ts';
import { Time } from '../../platform/time.ts';
import { Me } from '../account.ts';
import { PasskeyAssertion, PasskeyOptions } from '../passkey.ts';
import { Code, closed, Email, Name, NewPassword, Nothing, NoticeTopics, Password } from './fields.ts';

const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String()),
});

export const getMe = rpc('accounts', 'me', { caller: 'member', request: Nothing, reply: Me });

export const updateProfile = rpc('accounts', 'update_profile', {
  caller: 'member',
  request: Type.Object(
    {
      name: Type.Optional(Name),
      team_mail_topics: Type.Optional(NoticeTopics),
    },
    { ...closed, minProperties: 1 },
  ),
  reply: Me,
});

/** The member signs in with the new email from then on. Sessions go on. */
export const changeEmail = rpc('accounts', 'change_email', {
  caller: 'member',
  request: Type.Object({ current_password: Password, email: Email }, closed),
  reply: Me,
});

/** Ends every other session of the member. */
export const changePassword = rpc('accounts', 'change_password', {
  caller: 'member',
  request: Type.Object({ current_password: Password, new_password: NewPassword }, closed),
  reply: Nothing,
});

/**
 * First step of the enrollment. Sign-in does not change until `confirm_totp` proves that the app has the secret. Takes no
 * idempotency key: a repeated call replaces the secret.
 */
export const startTotp = rpc('accounts', 'start_totp', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: Type.Object({
    /** Base32, for manual entry. */
    secret: Type.String(),
    /** The same as an `otpauth://` URI, for a QR code. */
    uri: Type.String(),
  }),
});

export const confirmTotp = rpc('accounts', 'confirm_totp', {
  caller: 'member',
  request: Type.Object({ totp: Code }, closed),
  reply: RecoveryCodes,
});

export const disableTotp = rpc('accounts', 'disable_totp', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: Nothing,
});

export const replaceRecoveryCodes = rpc('accounts', 'replace_recovery_codes', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: RecoveryCodes,
});

/**
 * Creates a challenge that one of the member's passkeys signs for `reauthenticate`, once and within five minutes. Errors: `conflict`
 * without a passkey. Takes no idempotency key: an unused challenge expires.
 */
export const createReauthenticationChallenge = rpc('accounts', 'create_reauthentication_challenge', {
  caller: 'member',
  request: Nothing,
  reply: PasskeyOptions,
});

/** Confirms the identity for actions that fail with `reauthentication-required`. Takes exactly one of the fields, and applies to the session of the request. */
export const reauthenticate = rpc('accounts', 'reauthenticate', {
  caller: 'member',
  request: Type.Object(
    { current_password: Type.Optional(Password), passkey: Type.Optional(PasskeyAssertion) },
    closed,
  ),
  reply: Type.Object({ authenticated_at: Time }),
});
