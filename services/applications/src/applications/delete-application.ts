import { callRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { hasPayments } from '@tollgate/contracts/payments/rpc';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { hasEndpoints } from '@tollgate/contracts/webhooks/rpc';
import { requireRoleForAccess } from '../access/require-role-for-access.ts';
import type { Context } from '../context.ts';
import { type Application, deleted } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';
import { removeKeys } from './remove-deleted.ts';

/**
 * How long a request that the gateway admitted before the archival can take to create a payment: 30 s until its body has
 * arrived, 30 s in which payments accepts its signature, 30 s to wait for MongoDB and write, and 30 s by which the clocks
 * of the machines may differ.
 */
export const LONGEST_CREATION_MS = 2 * MINUTE_MS;
/** With the wait for the gateways' bucket, below the RPC deadline of 5 s. */
const CHECK_TIMEOUT_MS = 1_500;

/**
 * Deletes an archived application without payments and webhook endpoints, and its keys. The change of the application
 * decides: the reconciliation removes keys that a crash leaves behind. Throws what `changeApplication` throws.
 */
export async function deleteApplication(
  context: Context,
  actor: Actor,
  request: ApplicationRef,
): Promise<void> {
  const { _id } = await changeApplication(context, actor, request, {
    action: 'application.deleted',
    authorize: (application) => requireRoleForAccess(context, actor, application, 'delete an application'),
    async apply(application, now) {
      await requireDeletable(context, application, now);
      return deleted(application, now);
    },
  });
  try {
    await removeKeys(context, [_id]);
  } catch (error) {
    context.logger.warn({ err: error }, 'failed to remove keys; the next reconciliation will retry');
    context.reconciler.reconcileSoon();
  }
}

async function requireDeletable(context: Context, application: Application, now: Date): Promise<void> {
  if (application.status !== 'archived')
    throw new Problem('conflict', 'The application is not archived. Archive it before you delete it.');
  // The document does not have the time of the archival. A later change, such as a new name, only prolongs the wait.
  const deletableFrom = new Date(application.updated_at.getTime() + LONGEST_CREATION_MS);
  if (now < deletableFrom) {
    throw new Problem(
      'conflict',
      'A request from before the application was archived may still create a payment. ' +
        `You can delete the application from ${deletableFrom.toISOString()}.`,
    );
  }
  const [payments, endpoints] = await readUses(context, application);
  if (payments)
    throw new Problem(
      'conflict',
      'The application has payments, so it cannot be deleted. It stays archived.',
    );
  if (endpoints)
    throw new Problem(
      'conflict',
      'The application has webhook endpoints. Delete them before the application.',
    );
}

/** Whether the application has payments, and webhook endpoints. Throws `unavailable` unless both services reply. */
async function readUses(
  { bus, logger }: Context,
  { _id, team_id }: Application,
): Promise<[payments: boolean, endpoints: boolean]> {
  const request = { team_id, application_id: _id };
  const options = { deadlineMs: CHECK_TIMEOUT_MS };
  try {
    const [{ has_payments }, { has_endpoints }] = await Promise.all([
      callRpc(bus, hasPayments, request, options),
      callRpc(bus, hasEndpoints, request, options),
    ]);
    return [has_payments, has_endpoints];
  } catch (error) {
    logger.warn({ err: error }, 'failed to check whether an application has payments or webhook endpoints');
    throw new Problem(
      'unavailable',
      'The application was not deleted, because the check for payments and webhook endpoints failed. Retry the request.',
      { retryAfterS: 1 },
    );
  }
}
