import { latestVerification, listRecords, startVerification } from '@tollgate/contracts/rpc/audit';
import type { Call } from '@tollgate/launcher/first-run/member-session';
import { eventually } from '@tollgate/test-kit/eventually';

/** The audit log of a team, with a record of a change and a verification that is over. */
export interface FullAudit {
  /** Of a change of names as long as they may be. */
  auditRecordId: string;
}

/** Waits until what was renamed is in the log, then has the log checked. */
export async function fillAudit(call: Call, application_id: string): Promise<FullAudit> {
  const renamed = { action: 'application.renamed' as const, application_id, limit: 1 };
  await eventually('the renaming is in the audit log', async () => {
    const { data } = await call(listRecords, renamed);
    return data.length > 0;
  });
  await call(startVerification, {});
  await eventually('the log is checked', async () => {
    const { verification } = await call(latestVerification, {});
    return verification?.status === 'intact';
  });
  const { data } = await call(listRecords, renamed);
  return { auditRecordId: String(data[0]?.id) };
}
