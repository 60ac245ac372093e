import type { Issuer } from '@tollgate/contracts/signature';
import { flag, type Variable } from '@tollgate/runtime/config';
import { type Keyring, parseKeyring } from './keyring.ts';
import { createSigner, type FindPublicKey, type Signer } from './signature.ts';
import { deriveKeyring, parseSignerPublicKeys, parseSigningKeys } from './signing-keys.ts';

/** A variable with symmetric keys by version. */
export function keyring(name: string): Variable<Keyring> {
  return { name, parse: (value) => parseKeyring(value) };
}

/**
 * PEM keys, with line breaks or `\n` between the lines, or the base64 encoding of that text. Several keys follow each other
 * or are separated by commas.
 */
export function pemKeys(name: string): Variable<string[]> {
  return { name, parse: (value) => value.split(',').flatMap(parsePemKeys) };
}

function parsePemKeys(text: string): string[] {
  const pem = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const keys = pem.replaceAll('\\n', '\n').match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g);
  if (!keys) throw new Error('must be one or more keys in PEM format, or their base64 encoding');
  return keys;
}

/** The keys with which this process signs what others believe. The first one signs. */
export function signer(issuer: Issuer): Variable<Signer> {
  return { name: 'SIGNING_KEYS', parse: (value) => createSigner(parseSigningKeys(issuer, value)) };
}

/** Symmetric keys that only the owner of the signing keys in this variable has, with the same versions. */
export function derivedKeys(name: string, purpose: string): Variable<Keyring> {
  return { name, parse: (value) => deriveKeyring(value, purpose) };
}

/** For an upgrade from a release that did not sign. */
export const acceptUnsigned = flag('ACCEPT_UNSIGNED', { default: false });

/** The variables of every process that believes what another one signed. */
export const verifierVariables = {
  signerPublicKeys: { name: 'SIGNER_PUBLIC_KEYS', parse: parseSignerPublicKeys } as Variable<FindPublicKey>,
  acceptUnsigned,
};
