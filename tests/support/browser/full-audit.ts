import { latestVerification, listRecords, startVerification } from '@tollgate/contracts/audit/rpc';
import type { Call } from '@tollgate/launcher/first-run/member-session';
import { eventually } from '@tollgate/test-kit/eventually';

/** The audit log of a team, with a record of a change and a completed verification. */
export interface FullAudit {
  /** A record of a change between names of maximum length. */
  auditRecordId: string;
}

/** Waits until the log has the renaming, then runs a verification. */
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
