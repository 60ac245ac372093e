import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ERRORS, isErrorCode } from '@tollgate/contracts/platform/errors';
import { orNull } from '#lib/server/or-null.ts';
import { explainErrors } from '#lib/server/requests/explain-errors.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { environment, request_id } }) => {
  const request = await locals.admin.call(ADMIN_ROUTES.getRequest, { request_id });
  // Ids do not reveal the environment, so a link with the wrong environment redirects.
  if (request.environment !== environment) redirect(307, `/${request.environment}/requests/${request_id}`);
  const [application, key] = await Promise.all([
    orNull(locals.admin.call(ADMIN_ROUTES.getApplication, { application_id: request.application_id })),
    orNull(locals.admin.call(ADMIN_ROUTES.getKey, { key_id: request.key_id })),
  ]);
  const { code } = request;
  return {
    request,
    /** Null for a success, and for the code of another release. */
    explanation: code !== null && isErrorCode(code) ? { code, ...ERRORS[code] } : null,
    errors: explainErrors(request),
    applicationName: application?.name ?? null,
    keyName: key?.name ?? null,
    now: Date.now(),
  };
};
