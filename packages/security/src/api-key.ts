import { createHmac } from 'node:crypto';
import type { Environment } from '@tollgate/contracts/environment';
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
