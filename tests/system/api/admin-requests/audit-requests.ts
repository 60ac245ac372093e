import type { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import * as audit from '@tollgate/contracts/audit/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { plain, type Requests, type Scene } from './prepared-request.ts';

export const auditRequests: Requests<typeof auditRoutes> = {
  listRecords: plain({}),
  getRecord: async (scene) => ({ request: { record_id: (await findRecord(scene)).id } }),
  proveInclusion: async (scene) => ({
    request: { record_id: (await findRecord(scene, { isUnderHead: true })).id },
  }),
  listHeads: plain({}),
  // The path contains no id: each caller requests the signed tree heads of their own team.
  proveConsistency: async (_scene, { caller }) => {
    await findRecord(caller, { isUnderHead: true });
    return { request: { from_number: 1, to_number: 1 } };
  },
  startVerification: plain({}),
  latestVerification: plain({}),
  getVerification: async ({ team }) => ({
    request: { verification_id: (await team.owner.call(audit.startVerification, {})).id },
  }),
  listPublicKeys: plain({}),
};

/** The team's first record: a verification that runs soon after covers it with a signed tree head. */
async function findRecord({ team }: Pick<Scene, 'team'>, { isUnderHead = false } = {}) {
  const list = async () => (await team.owner.call(audit.listRecords, { action: 'team.created' })).data;
  await eventually('the team has a record', async () => (await list()).length > 0);
  if (isUnderHead) {
    const heads = async () => (await team.owner.call(audit.listHeads, {})).data;
    if ((await heads()).length === 0) await team.owner.call(audit.startVerification, {});
    await eventually('there is a head', async () => (await heads()).length > 0);
  }
  const [record] = await list();
  if (!record) throw new Error('The record has gone.');
  return record;
}
