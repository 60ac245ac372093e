import { Problem } from '@tollgate/contracts/problem';

/** RFC 6750 §2.1 */
const BEARER = /^bearer +(\S+) *$/i;

/**
 * Returns the credential of an Authorization header. Throws Problem `unauthenticated`.
 * @param expected the credential that the caller should send, such as `an API key`
 */
export function readBearerCredential(authorization: string | undefined, expected: string): string {
  if (authorization === undefined || authorization === '') {
    throw new Problem('unauthenticated', 'The request has no Authorization header.');
  }
  const match = BEARER.exec(authorization);
  if (!match) {
    throw new Problem(
      'unauthenticated',
      `The Authorization header must be \`Bearer\` followed by ${expected}.`,
    );
  }
  return match[1] as string;
}
