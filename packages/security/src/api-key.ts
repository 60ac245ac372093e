import { createHmac } from 'node:crypto';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { generateCredential, parseCredential } from './credential.ts';

/** Generates the credential of an API key: `tg_<environment>_…`. */
export function generateApiKey(environment: Environment): { credential: string; lookupId: string } {
  return generateCredential(environment);
}

/** Returns the public parts of a well-formed key with a correct checksum, otherwise null. Needs no lookup. */
export function parseApiKey(text: string): { environment: Environment; lookupId: string } | null {
  const parsed = parseCredential(text);
  if (!parsed || parsed.kind === 'admin') return null;
  return { environment: parsed.kind, lookupId: parsed.lookupId };
}

/** HMAC-SHA-256 of the whole credential with the pepper as key: 32 bytes, to store and to compare in constant time. */
export function digestApiKey(credential: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(credential).digest();
}

/** Part of the fingerprint, so that another construction never has the same one. */
const FINGERPRINT_PURPOSE = 'tollgate-pepper-fingerprint-v1';
const FINGERPRINT_BYTES = 8;

/** Tells peppers apart and reveals nothing of them: the start of an HMAC under the pepper, which has 256 random bits. */
export function pepperFingerprint(pepper: Buffer): string {
  const mac = createHmac('sha256', pepper).update(FINGERPRINT_PURPOSE).digest();
  return mac.subarray(0, FINGERPRINT_BYTES).toString('hex');
}
