import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LOOKUP_ID_LENGTH = 16;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** What a credential is for: the part after `tg_`. */
export type CredentialKind = 'live' | 'sandbox' | 'admin';

/** Documented for secret scanners: docs/guides/secret-scanning.md. */
export const CREDENTIAL = new RegExp(
  `^tg_(live|sandbox|admin)_([0-9A-Za-z]{${LOOKUP_ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** Arguments of `slice`: where the lookup id is in a well-formed credential, counted from its end. */
export const LOOKUP_ID_IN_CREDENTIAL = [
  -(LOOKUP_ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH),
  -(1 + SECRET_LENGTH + CHECKSUM_LENGTH),
] as const;

/**
 * Generates a credential: `tg_<kind>_<lookup id: 16>_<secret: 32><checksum: 6>`, all base62.
 * The secret has 190 bits from the generator of the operating system, and exists only in the returned string.
 */
export function generateCredential(kind: CredentialKind): { credential: string; lookupId: string } {
  const lookupId = randomBase62(LOOKUP_ID_LENGTH);
  const unchecked = `tg_${kind}_${lookupId}_${randomBase62(SECRET_LENGTH)}`;
  return { credential: unchecked + checksum(unchecked), lookupId };
}

/** Returns the public parts of a well-formed credential with a correct checksum, otherwise null. Needs no lookup. */
export function parseCredential(text: string): { kind: CredentialKind; lookupId: string } | null {
  const match = CREDENTIAL.exec(text);
  if (!match) return null;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { kind: match[1] as CredentialKind, lookupId: match[2] as string };
}

/** Not a secret. Detects mistyped and truncated keys without a lookup, and makes secret scanners exact. 62^6 > 2^32. */
function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    encoded = BASE62.charAt(rest % 62) + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(62))).join('');
}
