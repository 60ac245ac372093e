import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { readProof } from '#lib/server/audit/read-proof.ts';
import { loadPeople, recordContext } from '#lib/server/audit/record-context.ts';
import { recordView } from '#lib/server/audit/record-view.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { record_id }, parent }) => {
  const [record, proof, people, { environment, me }] = await Promise.all([
    locals.admin.call(auditRoutes.getRecord, { record_id }),
    readProof(locals.admin, record_id),
    loadPeople(locals.admin),
    parent(),
  ]);
  const context = await recordContext(locals.admin, [record], people, {
    environment,
    role: me.role,
  });
  return { view: recordView(record, context), proof, now: Date.now() };
};
