import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import type { RequestHandler } from './$types';

/** All public keys in one file, in the format that the command-line verifier reads. */
export const GET: RequestHandler = async ({ locals }) => {
  const { data } = await locals.admin.call(auditRoutes.listPublicKeys, {});
  return new Response(data.map(({ public_key }) => `${public_key.trim()}\n`).join(''), {
    headers: {
      'content-type': 'application/x-pem-file',
      'content-disposition': 'attachment; filename="tollgate-audit-keys.pem"',
    },
  });
};
