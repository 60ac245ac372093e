import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { MixedRun } from './mixed-run.ts';

/** Compares the usage of the load's key with the responses that it received. */
export async function wrongUsage({ owner, load, loadKeyId }: MixedRun): Promise<string[]> {
  const { total } = await owner.call(ADMIN_ROUTES.totalUsage, {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
    granularity: 'day',
    key_id: loadKeyId,
  });
  const [least, most] = [load.counted(), load.counted() + load.cutOff()];
  if (total.requests >= least && total.requests <= most) return [];
  return [`usage has counted ${total.requests} requests instead of ${least} to ${most}`];
}
