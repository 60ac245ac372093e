import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';
import { type Keyring, keyringOf } from './keyring.ts';
import type { FindPublicKey, SigningKeys } from './signature.ts';

const ALGORITHM = 'ed25519';
/** The output of SHA-256. */
const DERIVED_KEY_BYTES = 32;
const VERSIONED_KEY = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/]+=*)$/;

/**
 * Parses `2:<base64 PKCS #8>,1:…`; the first key signs. Throws an Error that says what is wrong and never shows a key.
 */
export function parseSigningKeys(issuer: Issuer, text: string): SigningKeys {
  const [current] = parsePrivateKeys(text);
  if (current === undefined) throw new Error(PRIVATE_FORMAT);
  return { issuer, current };
}

/**
 * Derives a symmetric key for a purpose from each private key (HKDF, RFC 5869). They have the versions of the private keys,
 * and rotate with them. Throws what `parseSigningKeys` throws.
 */
export function deriveKeyring(privateKeys: string, purpose: string): Keyring {
  const keys = new Map(
    parsePrivateKeys(privateKeys).map(({ version, privateKey }) => {
      const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
      return [version, Buffer.from(hkdfSync('sha256', secret, '', purpose, DERIVED_KEY_BYTES))];
    }),
  );
  return keyringOf(keys);
}

/** Parses `payments.1:<base64 SPKI>,applications.1:…`. Throws an Error that says what is wrong. */
export function parseSignerPublicKeys(text: string): FindPublicKey {
  const keys = new Map<string, KeyObject>();
  for (const part of text.split(',')) {
    const [issuer = '', versioned = ''] = splitOnce(part.trim(), '.');
    const match = VERSIONED_KEY.exec(versioned);
    if (!match || !(ISSUERS as readonly string[]).includes(issuer)) throw new Error(PUBLIC_FORMAT);
    const [, version, encoded] = match as unknown as [string, string, string];
    const name = `${issuer}.${version}`;
    if (keys.has(name)) throw new Error(`contains ${name} twice`);
    keys.set(
      name,
      decodeKey(name, () => createPublicKey({ ...der(encoded), type: 'spki' })),
    );
  }
  return (issuer, version) => keys.get(`${issuer}.${version}`);
}

/** Returns the public keys of an issuer's private keys, in the format of `parseSignerPublicKeys`. */
export function signerPublicKeys(issuer: Issuer, privateKeys: string): string {
  return parsePrivateKeys(privateKeys)
    .map(({ version, privateKey }) => {
      const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
      return `${issuer}.${version}:${publicKey.toString('base64')}`;
    })
    .join(',');
}

const PRIVATE_FORMAT =
  'must be a list of <version>:<base64 of a PKCS #8 key for Ed25519>, separated by commas';
const PUBLIC_FORMAT = `must be a list of <issuer>.<version>:<base64 of an SPKI key for Ed25519>, separated by commas, with the issuers ${ISSUERS.join(', ')}`;

function parsePrivateKeys(text: string): { version: string; privateKey: KeyObject }[] {
  return text.split(',').map((part) => {
    const match = VERSIONED_KEY.exec(part.trim());
    if (!match) throw new Error(PRIVATE_FORMAT);
    const [, version, encoded] = match as unknown as [string, string, string];
    const decode = () => createPrivateKey({ ...der(encoded), type: 'pkcs8' });
    return { version, privateKey: decodeKey(version, decode) };
  });
}

function der(encoded: string): { key: Buffer; format: 'der' } {
  return { key: Buffer.from(encoded, 'base64'), format: 'der' };
}

function decodeKey(name: string, decode: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = decode();
  } catch {
    throw new Error(`has a key in version ${name} that cannot be decoded`);
  }
  if (key.asymmetricKeyType !== ALGORITHM)
    throw new Error(`has a key in version ${name} that is not Ed25519`);
  return key;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
