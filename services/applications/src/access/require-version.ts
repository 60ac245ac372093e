import { Problem } from '@tollgate/contracts/problem';

/** Throws `precondition-failed` unless the caller read the current version. Undefined accepts any version. */
export function requireVersion(
  expected: number | undefined,
  actual: number,
  resource: 'application' | 'key' | 'policy',
): void {
  if (expected === undefined || expected === actual) return;
  throw new Problem(
    'precondition-failed',
    `You sent version ${expected}, but the ${resource} is now at version ${actual}.`,
  );
}
