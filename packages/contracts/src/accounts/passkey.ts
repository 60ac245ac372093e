import Type, { type Static } from 'typebox';
import { ACCOUNT_LIMITS } from '../platform/account-limits.ts';
import { PlainText } from '../platform/plain-text.ts';
import { ClosedObject, Id, Nullable, TextOfPattern, Time } from '../platform/schema.ts';

export const SECOND_FACTORS = ['passkey', 'totp', 'recovery_code'] as const;
export type SecondFactorName = (typeof SECOND_FACTORS)[number];

/** WebAuthn §6.1: a credential ID has at most 1,023 bytes. This is its length in base64url. */
const MAX_CREDENTIAL_ID_LENGTH = 1_364;
/** Several times what authenticators send, and small enough to parse without concern. */
const MAX_BINARY_LENGTH = 16_384;
/** More than the transports that WebAuthn defines. */
const MAX_TRANSPORTS = 16;

const Base64Url = (maxLength: number, description: string) =>
  TextOfPattern('^[A-Za-z0-9_-]+$', 'This must be base64url without padding.', { maxLength, description });
const Binary = (name: string) =>
  Base64Url(MAX_BINARY_LENGTH, `\`response.${name}\` of the credential, in base64url`);
const CredentialId = Base64Url(MAX_CREDENTIAL_ID_LENGTH, '`id` of the credential');
const ClientData = Binary('clientDataJSON');

export const Passkey = Type.Object({
  id: Id('passkey'),
  name: Type.String(),
  is_synced: Type.Boolean({
    description: 'Whether the authenticator backs the passkey up, for example to the account of a phone',
  }),
  created_at: Time,
  last_used_at: Nullable(Time, 'Time of its last use; null before the first'),
});
export type Passkey = Static<typeof Passkey>;

/** A new credential, as `navigator.credentials.create()` returns it (WebAuthn Level 3 §5.1). */
export const NewCredential = ClosedObject({
  id: CredentialId,
  client_data: ClientData,
  attestation_object: Binary('attestationObject'),
  transports: Type.Array(Type.String({ maxLength: 32 }), {
    maxItems: MAX_TRANSPORTS,
    description: 'Result of `response.getTransports()`',
  }),
});
export type NewCredential = Static<typeof NewCredential>;

/** Proof that the caller has a passkey, as `navigator.credentials.get()` returns it (WebAuthn Level 3 §5.1). */
export const PasskeyAssertion = ClosedObject({
  id: CredentialId,
  client_data: ClientData,
  authenticator_data: Binary('authenticatorData'),
  signature: Binary('signature'),
  user_handle: Nullable(Binary('userHandle')),
});
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

/** Options for a call of the browser, as JSON that `PublicKeyCredential` parses. */
export const PasskeyOptions = Type.Object({
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()` or `.parseRequestOptionsFromJSON()` (WebAuthn Level 3)',
  }),
});

export const PasskeyName = PlainText({ minLength: 1, maxLength: ACCOUNT_LIMITS.name });
