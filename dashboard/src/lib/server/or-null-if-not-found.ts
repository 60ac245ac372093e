import { AdminProblem } from '@tollgate/admin-client/admin-problem';

/** Resolves to null for a resource that does not exist, was deleted, or is no longer retained. */
export async function orNullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AdminProblem && error.status === 404) return null;
    throw error;
  }
}
