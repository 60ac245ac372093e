import { verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SECRET_SCANNING_HEADERS } from '@tollgate/contracts/applications/secret-scanning';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { SecretScanningKeys } from './public-keys.ts';

interface Signed {
  keyIdentifier: string;
  signature: string;
}

/** Throws `invalid-signature` for a request that names no known key, before its body is read. */
export function readSignature(keys: SecretScanningKeys, headers: IncomingHttpHeaders): Signed {
  const keyIdentifier = headers[SECRET_SCANNING_HEADERS.keyIdentifier.toLowerCase()];
  const signature = headers[SECRET_SCANNING_HEADERS.signature.toLowerCase()];
  if (typeof keyIdentifier !== 'string' || typeof signature !== 'string')
    throw new Problem('invalid-signature', 'The request is not signed.');
  if (!keys.has(keyIdentifier))
    throw new Problem('invalid-signature', 'The request is signed with an unknown key.');
  return { keyIdentifier, signature };
}

/** Throws `invalid-signature` unless the key signed exactly these bytes. The signature is ECDSA over SHA-256, as DER. */
export function verifySignature(
  keys: SecretScanningKeys,
  { keyIdentifier, signature }: Signed,
  body: Buffer,
): void {
  const key = keys.get(keyIdentifier);
  if (key && verify('sha256', body, key, Buffer.from(signature, 'base64'))) return;
  throw new Problem('invalid-signature', 'The signature does not match the body.');
}
