import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { loadPeople, recordContext } from '#lib/server/audit/record-context.ts';
import { recordView } from '#lib/server/audit/record-view.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { record_id }, parent }) => {
  const [record, proof, people, parentData] = await Promise.all([
    locals.admin.call(auditRoutes.getRecord, { record_id }),
    readProof(locals.admin, record_id),
    loadPeople(locals.admin),
    parent(),
  ]);
  const context = await recordContext(locals.admin, [record], people, parentData);
  return { view: recordView(record, context), proof, now: Date.now() };
};

/**
 * Reads the proof of a record; it is `pending` until a signed tree head covers the record. When the log cannot prove the record, only
 * that part of the page is missing.
 */
async function readProof(admin: AdminClient, record_id: string) {
  try {
    const whole = await admin.call(auditRoutes.proveInclusion, { record_id });
    const { record: _, ...proof } = whole;
    return { kind: 'proof', proof, text: JSON.stringify(whole, null, 2) } as const;
  } catch (error) {
    if (!(error instanceof AdminProblem)) throw error;
    if (error.code === 'conflict') return { kind: 'pending' } as const;
    return { kind: 'failed', message: `The proof is unavailable. ${error.detail}` } as const;
  }
}
