import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import type { ProofView } from '#lib/audit/proof-view.ts';

/** Reads the proof of a record. When the log cannot prove the record, only that part of the page is missing. */
export async function readProof(admin: AdminClient, record_id: string): Promise<ProofView> {
  try {
    const whole = await admin.call(auditRoutes.proveInclusion, { record_id });
    const { record: _, ...proof } = whole;
    return { kind: 'proof', proof, text: JSON.stringify(whole, null, 2) };
  } catch (error) {
    if (!(error instanceof AdminProblem)) throw error;
    if (error.code === 'conflict') return { kind: 'pending' };
    return { kind: 'failed', message: `The proof is unavailable. ${error.detail}` };
  }
}
