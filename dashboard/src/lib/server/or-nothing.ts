import { AdminProblem } from './admin-problem.ts';

/** What the API gives, or null where it rejects or does not respond: for courtesies such as names, which a page is readable without. */
export async function orNothing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AdminProblem) return null;
    throw error;
  }
}
