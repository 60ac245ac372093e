import type { Actor } from '@tollgate/contracts/accounts/actor';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { endpointAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import { endPending } from './end-pending.ts';
import { type Disabled, disabled, type Endpoint } from './endpoint.ts';

/** Disables the endpoint and skips its pending deliveries. Throws what `changeEndpoint` throws. */
export async function disableEndpoint(
  context: Context,
  actor: Actor,
  request: EndpointRef & { reason: string | null },
): Promise<Endpoint> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.disabled',
    what: 'disable webhook endpoints',
    apply: (before, now) => disabled(before, 'member', request.reason, now),
  });
  await endPending(context, endpoint);
  return endpoint;
}

type SystemContext = Pick<
  Context,
  'endpoints' | 'deliveries' | 'audit' | 'signer' | 'announce' | 'clock' | 'logger'
>;

/** Disables the endpoint because of its responses. Does nothing when a member changed the endpoint meanwhile. */
export async function disableByPlatform(
  context: SystemContext,
  before: Endpoint,
  { by, reason }: Pick<Disabled, 'by' | 'reason'>,
): Promise<void> {
  const now = new Date(context.clock.now());
  const after = disabled(before, by, reason, now);
  const audit = signAuditEntry(
    context.signer,
    endpointAuditEntry('webhook_endpoint.disabled', null, before, after, now),
  );
  if (!(await context.endpoints.replace(before, after, audit))) return;
  context.audit.enqueue([auditMessage(after.id, audit)]);
  context.announce.endpoint(after);
  const fields = { endpoint_id: after.id, application_id: after.applicationId, reason };
  context.logger.warn(fields, 'an endpoint was disabled because of its responses');
  await endPending(context, after);
}
