import type { Issuer } from '@tollgate/contracts/platform/signature';
import type { Variable } from '@tollgate/runtime/config';
import { type Keyring, parseKeyring } from './keyring.ts';
import { createSigner, type FindPublicKey, type Signer } from './signature.ts';
import { deriveKeyring, parseSignerPublicKeys, parseSigningKeys } from './signing-keys.ts';

const SYMMETRIC_KEYS = 'keys';
const SIGNING_KEYS_TYPE = 'Ed25519 keys in PKCS #8';

/** A variable with symmetric keys by version. */
export function keyring(name: string, description: string): Variable<Keyring> {
  return { name, description, type: SYMMETRIC_KEYS, isSecret: true, parse: (value) => parseKeyring(value) };
}

/** The same in applications, which creates digests of API keys, and in gateways, which compare them. */
export const apiKeyPeppers = keyring(
  'API_KEY_PEPPERS',
  'Peppers of the digests of API keys, the same in applications and gateways.',
);

/** The same in gateways and payments. */
export const internalSigningKeys = keyring(
  'INTERNAL_SIGNING_KEYS',
  'Sign requests of gateways to payments, and announcements of payments. The same for both.',
);

/**
 * PEM keys, with line breaks or `\n` between the lines, or the base64 encoding of that text. Several keys follow each other
 * or are separated by commas.
 */
export function pemKeys(name: string, description: string): Variable<string[]> {
  return {
    name,
    description,
    type: 'list of PEM, or its base64 encoding',
    parse: parsePemKeys,
  };
}

/** Throws an Error that says what the text must be and never shows a key. */
export function parsePemKeys(value: string): string[] {
  return value.split(',').flatMap((text) => {
    const pem = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
    const keys = pem.replaceAll('\\n', '\n').match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g);
    if (!keys) throw new Error('must be one or more keys in PEM format, or their base64 encoding');
    return keys;
  });
}

/** The keys with which this process signs what others verify. The first one signs. */
export function signer(issuer: Issuer, description: string): Variable<Signer> {
  return {
    name: 'SIGNING_KEYS',
    description,
    type: SIGNING_KEYS_TYPE,
    isSecret: true,
    parse: (value) => createSigner(parseSigningKeys(issuer, value)),
  };
}

/** Symmetric keys that only the owner of the signing keys in this variable has, with the same versions. */
export function derivedKeys(name: string, purpose: string): Variable<Keyring> {
  return { name, isSecret: true, parse: (value) => deriveKeyring(value, purpose) };
}

/** The variables of every process that verifies messages of another one. */
export const verifierVariables = {
  signerPublicKeys: {
    name: 'SIGNER_PUBLIC_KEYS',
    description: 'The public keys of `SIGNING_KEYS` of every process.',
    type: 'list of `<process>.<version>:<base64 of SPKI>`',
    parse: parseSignerPublicKeys,
  } as Variable<FindPublicKey>,
};
