import Type from 'typebox';
import { Page } from '../../platform/page.ts';
import { contractsOf } from '../../platform/rpc-contract.ts';
import { Id, Time } from '../../platform/schema.ts';
import { Me, Session } from '../account.ts';
import { NewCredential, Passkey, PasskeyAssertion, PasskeyName, PasskeyOptions } from '../passkey.ts';
import { Code, Email, Name, NewPassword, NoticeTopics, Password } from './fields.ts';

const rpc = contractsOf('accounts');

const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });

export const getMe = rpc('me', 'member', { reply: Me });

export const updateProfile = rpc('update_profile', 'member', {
  request: { name: Type.Optional(Name), team_mail_topics: Type.Optional(NoticeTopics) },
  minProperties: 1,
  reply: Me,
});

/** The member signs in with the new email from then on. Sessions go on. */
export const changeEmail = rpc('change_email', 'member', {
  request: { current_password: Password, email: Email },
  reply: Me,
});

export const changePassword = rpc('change_password', 'member', {
  request: { current_password: Password, new_password: NewPassword },
});

/** Sign-in does not change until `confirm_totp`. Takes no idempotency key: a repeated call replaces the secret. */
export const startTotp = rpc('start_totp', 'member', {
  request: { current_password: Password },
  reply: Type.Object({
    /** Base32, for manual entry. */
    secret: Type.String(),
    /** The same as an `otpauth://` URI, for a QR code. */
    uri: Type.String(),
  }),
});

export const confirmTotp = rpc('confirm_totp', 'member', { request: { totp: Code }, reply: RecoveryCodes });

export const disableTotp = rpc('disable_totp', 'member', { request: { current_password: Password } });

export const replaceRecoveryCodes = rpc('replace_recovery_codes', 'member', {
  request: { current_password: Password },
  reply: RecoveryCodes,
});

/** Errors: `conflict` without a passkey. Takes no idempotency key: an unused challenge expires. */
export const createReauthenticationChallenge = rpc('create_reauthentication_challenge', 'member', {
  reply: PasskeyOptions,
});

/** Takes exactly one of the fields, and applies to the session of the request. */
export const reauthenticate = rpc('reauthenticate', 'member', {
  request: { current_password: Type.Optional(Password), passkey: Type.Optional(PasskeyAssertion) },
  reply: Type.Object({ authenticated_at: Time }),
});

export const listSessions = rpc('list_sessions', 'member', { reply: Page(Session) });

export const revokeSession = rpc('revoke_session', 'member', { request: { session_id: Id('session') } });

export const revokeAllSessions = rpc('revoke_all_sessions', 'member');

export const signOut = rpc('sign_out', 'member-or-token');

/** Takes no idempotency key: an unused challenge expires. */
export const startPasskey = rpc('start_passkey', 'member', {
  request: { current_password: Password },
  reply: PasskeyOptions,
});

/** Takes no idempotency key: a challenge is used once. */
export const createPasskey = rpc('create_passkey', 'member', {
  request: { name: PasskeyName, credential: NewCredential },
  reply: Type.Object({
    passkey: Passkey,
    recovery_codes: Type.Array(Type.String(), {
      description: 'Returned once, with the first second factor of the member; else empty',
    }),
  }),
});

export const listPasskeys = rpc('list_passkeys', 'member', { reply: Page(Passkey) });

export const renamePasskey = rpc('rename_passkey', 'member', {
  request: { passkey_id: Id('passkey'), name: PasskeyName },
  reply: Passkey,
});

export const deletePasskey = rpc('delete_passkey', 'member', {
  request: { passkey_id: Id('passkey'), current_password: Password },
});
