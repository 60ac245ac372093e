import { createPublicKey, type KeyObject } from 'node:crypto';
import type { AuditPublicKey } from '@tollgate/contracts/audit/audit-log';

/** Key that signs heads, seals, and exports: Ed25519. */
export interface SigningKey {
  version: number;
  privateKey: KeyObject;
}

/** A public key. Without a version, it is tried for signatures of every version: a bare PEM file has no version. */
export interface VerifyingKey {
  version: number | null;
  publicKey: KeyObject;
}

/** Throws an Error that explains what is wrong with the PEM text. */
export function parsePublicKey(pem: string, version: number | null): VerifyingKey {
  let publicKey: KeyObject;
  try {
    publicKey = createPublicKey(pem);
  } catch {
    throw new Error('This is not a public key in PEM format (-----BEGIN PUBLIC KEY-----)');
  }
  if (publicKey.asymmetricKeyType !== 'ed25519') {
    throw new Error(`Audit logs are signed with Ed25519, but this key is for ${publicKey.asymmetricKeyType}`);
  }
  return { version, publicKey };
}

/** Returns the public part of a signing key, as the service publishes it. */
export function publicKeyOf({ version, privateKey }: SigningKey): AuditPublicKey {
  const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
  return { version, public_key: pem.toString() };
}
