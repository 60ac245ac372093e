import { error, json } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { AdminProblem } from '#lib/server/admin-problem.ts';
import { requireForm } from '#lib/server/require-form.ts';
import type { RequestHandler } from './$types';

/** The options with which the sign-in page asks the browser for a passkey. */
export const POST: RequestHandler = async ({ request, locals }) => {
  await requireForm(request, locals.requestId);
  try {
    const { options } = await locals.admin.call(ADMIN_ROUTES.createPasskeyChallenge, {});
    return json(options);
  } catch (problem) {
    if (!(problem instanceof AdminProblem)) throw problem;
    error(problem.status, { message: problem.detail, requestId: locals.requestId });
  }
};
