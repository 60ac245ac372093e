import { ACCOUNT_LIMITS } from '@tollgate/contracts/account';
import { Problem } from '@tollgate/contracts/problem';

/** What is unique: NFKC, lower case, without spaces around it. Two spellings of one mailbox must not be two accounts. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** The normalised address. Throws `invalid-request`, naming the field. Whether a mailbox exists only a letter can tell. */
export function parseEmail(text: string, pointer = '/email'): string {
  const email = normalizeEmail(text);
  if (email.length <= ACCOUNT_LIMITS.email && /^[^\s@]{1,64}@[^\s@]+$/.test(email)) return email;
  throw new Problem('invalid-request', 'The email address is not valid.', {
    errors: [{ pointer, code: 'invalid', detail: 'Must be an email address, such as ada@example.com.' }],
  });
}
