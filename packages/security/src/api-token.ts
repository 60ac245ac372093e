import { createHash } from 'node:crypto';
import { generateCredential, parseCredential } from './credential.ts';

const PREFIX = 'tg_admin_';

/** Generates the credential of an API token: `tg_admin_…`. */
export function generateApiToken(): { credential: string; lookupId: string } {
  return generateCredential('admin');
}

/** Returns true if the text claims to be an API token, complete or not. No session token starts like one. */
export function looksLikeApiToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Returns the public part of a well-formed token with a correct checksum, otherwise null. Needs no lookup. */
export function parseApiToken(text: string): { lookupId: string } | null {
  const parsed = parseCredential(text);
  return parsed?.kind === 'admin' ? { lookupId: parsed.lookupId } : null;
}

/** SHA-256 of the whole credential: 32 bytes, to store and to compare in constant time. A fast hash suffices for its secret. */
export function digestApiToken(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}
