import { readFileSync } from 'node:fs';

/** The list has the first 40 bits of each digest: one in 20 million other passwords is mistaken for one of the list. */
export const DIGEST_BYTES = 5;

/** Sorted digests, one after the other (build-published-list.ts). */
const FILE = new URL('published-list.bin', import.meta.url);

/** The passwords of the list that comes with Tollgate, of those long enough to be accepted otherwise. */
export interface PublishedList {
  /** @param digest SHA-1 of the password, or of its lower-case form */
  has(digest: Buffer): boolean;
}

export function readPublishedList(): PublishedList {
  const digests = readFileSync(FILE);
  return {
    has(digest) {
      const wanted = digest.readUIntBE(0, DIGEST_BYTES);
      let [low, high] = [0, digests.length / DIGEST_BYTES];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (digests.readUIntBE(middle * DIGEST_BYTES, DIGEST_BYTES) < wanted) low = middle + 1;
        else high = middle;
      }
      return (
        low < digests.length / DIGEST_BYTES && digests.readUIntBE(low * DIGEST_BYTES, DIGEST_BYTES) === wanted
      );
    },
  };
}
