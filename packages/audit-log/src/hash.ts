import { hash } from 'node:crypto';

/** The tree's hash of no leaves: SHA-256 of nothing (RFC 9162 §2.1.1). */
export const EMPTY_ROOT = hash('sha256', '');

/**
 * The first byte tells leaves and inner nodes apart (RFC 9162 §2.1.1): without it, the two hashes of an inner node could be passed off as
 * the bytes of a leaf.
 */
const NODE_PREFIX = '01';

/** SHA-256 of a leaf's bytes, which are the UTF-8 form of `text`; hexadecimal. */
export function leafHash(text: string): string {
  return hash('sha256', `\0${text}`);
}

/** SHA-256 of an inner node over the hashes of its two children; all hexadecimal. */
export function nodeHash(left: string, right: string): string {
  return hash('sha256', Buffer.from(NODE_PREFIX + left + right, 'hex'));
}

export function sha256(text: string): string {
  return hash('sha256', text);
}
