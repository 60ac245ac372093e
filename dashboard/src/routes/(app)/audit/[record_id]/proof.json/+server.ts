import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import type { RequestHandler } from './$types';

/** The proof of a record and the record itself, as the API returns them, for offline verification. */
export const GET: RequestHandler = async ({ locals, params: { record_id } }) => {
  const proof = await locals.admin.call(auditRoutes.proveInclusion, { record_id });
  return new Response(`${JSON.stringify(proof, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="tollgate-proof-${record_id}.json"`,
    },
  });
};
