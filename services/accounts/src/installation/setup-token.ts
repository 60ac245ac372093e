import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether this is the installation's token. Comparing digests takes a time that reveals neither the token nor its length.
 *
 * @param expected null when `SETUP_TOKEN` is not set: no token matches
 */
export function isSetupToken(expected: string | null, given: string): boolean {
  return expected !== null && timingSafeEqual(sha256(expected), sha256(given));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
