import { AdminProblem } from '@tollgate/admin-client/admin-problem';

/**
 * Resolves to null when the API rejects the call or is unavailable: for optional data such as names, which a page can
 * omit.
 */
export function orNull<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error) => {
    if (error instanceof AdminProblem) return null;
    throw error;
  });
}

/** Resolves to null for a resource that does not exist, was deleted, or is no longer retained. */
export function orNullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error) => {
    if (error instanceof AdminProblem && error.status === 404) return null;
    throw error;
  });
}
