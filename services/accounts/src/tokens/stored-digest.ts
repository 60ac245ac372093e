import { createHash } from 'node:crypto';

/**
 * What is stored of a credential, from its SHA-256 (hex). That of a login also covers the member for whom the token acts.
 * A release that knows no logins computes another one, so it rejects their tokens instead of skipping the check of the
 * member.
 */
export function storedDigest(digest: string, actsFor: string | null): string {
  if (actsFor === null) return digest;
  return createHash('sha256').update(`${digest} ${actsFor}`).digest('hex');
}
