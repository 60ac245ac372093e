import { error, redirect } from '@sveltejs/kit';
import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { isId } from '@tollgate/contracts/platform/ids';
import { signInPath } from '#lib/server/sign-in-path.ts';
import type { RequestHandler } from './$types';

/** The proof of a record and the record itself, as the API returns them, for offline verification. */
export const GET: RequestHandler = async ({ locals, params: { record_id }, url }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  if (!isId('audit', record_id)) {
    error(404, { message: 'Audit record not found.', requestId: locals.requestId });
  }
  const proof = await locals.admin.call(auditRoutes.proveInclusion, { record_id });
  return new Response(`${JSON.stringify(proof, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="tollgate-proof-${record_id}.json"`,
    },
  });
};
