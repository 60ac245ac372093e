import { AdminProblem } from '@tollgate/admin-client/admin-problem';

/**
 * Whether the cursor is invalid for this list: from an old address, or one with other filters. The list then starts
 * over.
 */
export function isAboutCursor(error: unknown): boolean {
  if (!(error instanceof AdminProblem) || error.code !== 'invalid-request') return false;
  return error.errors.some(({ pointer, parameter }) => (pointer ?? parameter)?.endsWith('cursor'));
}
