import { Problem, type ProblemDetails } from '@tollgate/contracts/problem';

/** What the call was refused with. Throws when it was not refused. */
export async function refusal(call: Promise<unknown>): Promise<ProblemDetails> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Problem) return error.details;
    throw error;
  }
  throw new Error('The call was expected to be refused, and it was not.');
}
