import { Problem, type ProblemDetails } from '@tollgate/contracts/platform/problem';

/** Returns the problem that the call was rejected with. Throws if it succeeded. */
export async function rejection(call: Promise<unknown>): Promise<ProblemDetails> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Problem) return error.details;
    throw error;
  }
  throw new Error('The call was expected to be rejected, and it was not.');
}
