import { error, json } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { requireForm } from '#lib/server/require-form.ts';

/** Responds to a script of the dashboard with the options for a passkey that `createChallenge` returns. */
export async function challengeResponse(
  { request }: { request: Request },
  createChallenge: () => Promise<{ options: object }>,
): Promise<Response> {
  await requireForm(request);
  try {
    const { options } = await createChallenge();
    return json(options);
  } catch (problem) {
    if (!(problem instanceof AdminProblem)) throw problem;
    error(problem.status, problem.detail);
  }
}
