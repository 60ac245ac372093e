import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { endpointEntry } from '../audit-entry.ts';
import type { Shared } from '../context.ts';
import type { DisableDecision } from '../health/endpoint-health.ts';
import { disabled, type Endpoint } from './endpoint.ts';
import { endPending } from './pending-deliveries.ts';

/** Disables the endpoint because of its responses. Does nothing when a member changed the endpoint since `attempted` was read. */
export async function disableByPlatform(
  context: Shared,
  attempted: Endpoint,
  { by, reason }: DisableDecision,
): Promise<void> {
  let isCurrent = false;
  const after = await changeAudited(
    context,
    context.endpoints,
    { _id: attempted._id, team_id: attempted.team_id },
    (before, now) => {
      isCurrent = before.version === attempted.version;
      return isCurrent ? disabled(before, by, reason, now) : before;
    },
    endpointEntry('webhook_endpoint.disabled', SYSTEM_AUTHOR),
  );
  if (!isCurrent) return;
  context.announce.endpoint(after);
  const fields = { endpoint_id: after._id, application_id: after.application_id, reason };
  context.logger.warn(fields, 'an endpoint was disabled because of its responses');
  await endPending(context, after);
}
