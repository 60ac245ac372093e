import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';

/**
 * Handles the failure of a call for a page of a list. Redirects to the first page if the cursor is invalid: from an old address, or one
 * with other filters. Throws any other error again.
 */
export function startOver(firstPage: string): (error: unknown) => never {
  return (error) => {
    if (isAboutCursor(error)) redirect(303, firstPage);
    throw error;
  };
}

function isAboutCursor(error: unknown): boolean {
  if (!(error instanceof AdminProblem) || error.code !== 'invalid-request') return false;
  return error.errors.some(({ pointer, parameter }) => (pointer ?? parameter)?.endsWith('cursor'));
}
