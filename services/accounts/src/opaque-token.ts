import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A token of a session or a link, and what is stored of it. The token itself leaves the process once. */
export function newOpaqueToken(): { token: string; digest: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, digest: digestToken(token) };
}

/**
 * SHA-256, hex. A fast hash suffices for 256 random bits, and records are found by it: an index look-up of a digest tells
 * nobody, by its timing, anything about the token.
 */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
