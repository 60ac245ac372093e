import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { isPlainText } from '@tollgate/contracts/platform/plain-text';
import { Problem } from '@tollgate/contracts/platform/problem';

/** The unique form: NFKC, lower case, trimmed. Two spellings of one mailbox must not become two accounts. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** Whether a normalized text has the form of an address. */
export function isEmail(text: string): boolean {
  return text.length <= ACCOUNT_LIMITS.email && isPlainText(text) && /^[^\s@]{1,64}@[^\s@]+$/.test(text);
}

/**
 * The normalized address. Throws `invalid-request`, naming the field. Only a delivered message can show that a mailbox
 * exists.
 */
export function parseEmail(text: string, pointer = '/email'): string {
  const email = normalizeEmail(text);
  if (isEmail(email)) return email;
  throw new Problem('invalid-request', 'The email address is not valid.', {
    errors: [{ pointer, code: 'invalid', detail: 'Must be an email address, such as ada@example.com.' }],
  });
}

/** @param advice what the person can do */
export function emailOfTooManyAccounts(advice: string): Problem {
  return new Problem('conflict', `This email address has accounts in too many teams. ${advice}`);
}
