import { domainToASCII } from 'node:url';
import { SINGLE_SIGN_ON_LIMITS } from '@tollgate/contracts/accounts/single-sign-on';
import { Problem } from '@tollgate/contracts/platform/problem';

/** Labels of RFC 1123 §2.1. The last one has a letter: an IP address is no domain. */
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The domain in lower case and ASCII, or null if the text is none. */
export function normalizeDomain(text: string): string | null {
  const name = domainToASCII(text.trim()).toLowerCase();
  return name.length <= SINGLE_SIGN_ON_LIMITS.domain && DOMAIN.test(name) ? name : null;
}

/** Throws `invalid-request`, naming the field. */
export function parseDomain(text: string): string {
  const name = normalizeDomain(text);
  if (name !== null) return name;
  throw new Problem('invalid-request', 'The domain is not valid.', {
    errors: [{ pointer: '/domain', code: 'invalid', detail: 'Must be a domain, such as example.com.' }],
  });
}

/** The domain of a normalized email; null when it is none that can be verified. */
export function domainOfEmail(email: string): string | null {
  return normalizeDomain(email.slice(email.lastIndexOf('@') + 1));
}
