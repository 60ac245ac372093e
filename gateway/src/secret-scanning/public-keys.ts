import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Variable } from '@tollgate/runtime/config';

/** Keys of the scanner, by their identifier. Empty: the endpoint is not served. */
export type SecretScanningKeys = ReadonlyMap<string, KeyObject>;

/**
 * The keys in the form in which GitHub publishes them, so that its response can be the value:
 * `{"public_keys": [{"key_identifier": "…", "key": "-----BEGIN PUBLIC KEY-----…"}]}`.
 */
export function secretScanningKeys(name: string): Variable<SecretScanningKeys> {
  return {
    name,
    description:
      'Keys that sign the alerts of a secret scanner ([guide](../guides/secret-scanning.md)). Without them, the path responds 404.',
    type: 'JSON',
    fallback: new Map(),
    defaultText: 'none',
    parse: parseSecretScanningKeys,
  };
}

export function parseSecretScanningKeys(text: string): SecretScanningKeys {
  const keys = new Map<string, KeyObject>();
  for (const { key_identifier: identifier, key } of listedKeys(text)) {
    if (typeof identifier !== 'string' || identifier === '' || typeof key !== 'string')
      throw new Error('must give every key a `key_identifier` and a `key`');
    if (keys.has(identifier)) throw new Error(`contains the key ${identifier} twice`);
    keys.set(identifier, parseP256Key(identifier, key));
  }
  return keys;
}

function listedKeys(text: string): Record<string, unknown>[] {
  try {
    const { public_keys: keys } = JSON.parse(text) as { public_keys: Record<string, unknown>[] };
    if (
      Array.isArray(keys) &&
      keys.length > 0 &&
      keys.every((key) => typeof key === 'object' && key !== null)
    )
      return keys;
  } catch {
    // Reported below, like JSON of another form.
  }
  throw new Error(
    'must be JSON in the form of https://api.github.com/meta/public_keys/secret_scanning: {"public_keys": [{"key_identifier": "…", "key": "…"}]}',
  );
}

function parseP256Key(identifier: string, pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Reported below, like a key of another kind.
  }
  throw new Error(`must contain ECDSA P-256 public keys in PEM format; the key ${identifier} is none`);
}
