import { Problem } from '@tollgate/contracts/platform/problem';

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
  const credential = bearerCredential(authorization);
  if (credential === undefined) {
    throw new Problem(
      'unauthenticated',
      `The Authorization header must be \`Bearer\` followed by ${expected}.`,
    );
  }
  return credential;
}

/** Returns the credential of an Authorization header, or undefined if it has none of the type `Bearer`. */
export function bearerCredential(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}
