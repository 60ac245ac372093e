import type { usageRoutes } from '@tollgate/contracts/admin-api/usage-routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { listRequests } from '@tollgate/contracts/usage/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { createPayment } from './create-payment.ts';
import { plain, type Requests, type Scene } from './prepared-request.ts';

const A_DAY = {
  from: new Date(Date.now() - 24 * 3_600_000).toISOString(),
  to: new Date().toISOString(),
};

export const usageRequests: Requests<typeof usageRoutes> = {
  queryUsage: plain({ ...A_DAY, granularity: 'hour' as const, group_by: 'application,key' }),
  totalUsage: plain({ ...A_DAY, granularity: 'hour' as const, group_by: 'application,key' }),
  usageProgress: plain({}),
  listRequests: async (_scene, { environment }) => ({ request: { environment } }),
  getRequest: async (scene, { environment }) => ({
    request: { request_id: await findRequestId(scene, environment) },
  }),
  keyUses: async ({ application }) => ({ request: { application_id: application.id } }),
};

/** A request in the log, which appears there a moment after its response. */
async function findRequestId(scene: Scene, environment: Environment): Promise<string> {
  const paymentId = await createPayment(scene, environment);
  const list = () => scene.team.owner.call(listRequests, { environment, payment_id: paymentId, limit: 1 });
  await eventually('the request is logged', async () => (await list()).data.length > 0, {
    timeoutMs: 30_000,
  });
  return (await list()).data[0]?.id as string;
}
