import { Problem } from '@tollgate/contracts/platform/problem';

/**
 * Throws `precondition-failed` unless the caller read the current version. Undefined accepts any version. The error does not
 * repeat the version of the caller, which is none where the gateway got an entity tag that is not the API's.
 * @param resource with its article
 */
export function requireVersion(expected: number | undefined, actual: number, resource: string): void {
  if (expected === undefined || expected === actual) return;
  throw new Problem(
    'precondition-failed',
    `You did not send the current version: ${resource} is now at version ${actual}.`,
  );
}
