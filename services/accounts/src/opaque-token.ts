import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A token of a session or a link, and its stored digest. The token itself leaves the process once. */
export function newOpaqueToken(): { token: string; digest: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, digest: digestToken(token) };
}

/**
 * SHA-256, hex. A fast hash suffices for 256 random bits. Records are found by this digest: the timing of an index
 * lookup reveals nothing about the token.
 */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
