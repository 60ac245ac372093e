import { createHash } from 'node:crypto';
import type { Logger } from '@tollgate/runtime/logger';
import { type PasswordRanges, searchRange } from './password-ranges.ts';
import { readPublishedList } from './published-list.ts';

/** Passwords that were published, which attackers try first (NIST SP 800-63B §3.1.1.2). */
export interface LeakedPasswords {
  has(password: string): Promise<boolean>;
}

/**
 * Searches the list that comes with Tollgate, and the operator's larger one. Without a response from the larger one, its passwords are
 * accepted: nobody could set a password while it is down.
 *
 * @param ranges null when the operator has configured none
 */
export function createLeakedPasswords({
  ranges,
  logger,
}: {
  ranges: PasswordRanges | null;
  logger: Logger;
}): LeakedPasswords {
  const published = readPublishedList();
  return {
    async has(password) {
      const digest = sha1(password);
      if (published.has(digest) || published.has(sha1(password.toLowerCase()))) return true;
      if (ranges === null) return false;
      try {
        return await searchRange(ranges, digest);
      } catch (error) {
        logger.warn({ err: error }, 'leaked passwords could not be searched; the password was accepted');
        return false;
      }
    },
  };
}

/** SHA-1 identifies the passwords in the lists, and stores none. */
function sha1(password: string): Buffer {
  return createHash('sha1').update(password).digest();
}
