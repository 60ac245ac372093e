import { hash } from 'node:crypto';

/** Hash of a tree without leaves: SHA-256 of the empty string (RFC 9162 §2.1.1). */
export const EMPTY_ROOT = hash('sha256', '');

/**
 * The first byte distinguishes leaves from inner nodes (RFC 9162 §2.1.1): without it, the two hashes of an inner node
 * could be presented as the bytes of a leaf.
 */
const NODE_PREFIX = '01';

/** SHA-256 of a leaf, the UTF-8 form of `text`; hexadecimal. */
export function leafHash(text: string): string {
  return hash('sha256', `\0${text}`);
}

/** SHA-256 of an inner node over the hashes of its two children. All are hexadecimal. */
export function nodeHash(left: string, right: string): string {
  return hash('sha256', Buffer.from(NODE_PREFIX + left + right, 'hex'));
}

export function sha256(text: string): string {
  return hash('sha256', text);
}
