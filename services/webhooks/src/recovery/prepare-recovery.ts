import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { requireRoleFor } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { auditAction } from '../endpoints/audit-action.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { findEndpoint, requireEnabled } from '../endpoints/find-endpoint.ts';

/**
 * Checks the endpoint and the member's role before many deliveries are sent, and stores the audit entry first: a crash amid the many
 * writes must not leave some without an entry. Throws `not-found`, `forbidden`, `conflict`.
 */
export async function prepareRecovery(
  context: Context,
  actor: Actor,
  endpointId: string,
  { action, what, parameters }: { action: AuditAction; what: string; parameters: Record<string, unknown> },
): Promise<Endpoint> {
  const endpoint = await findEndpoint(context, actor, endpointId);
  requireRoleFor(actor, endpoint.environment, what);
  requireEnabled(endpoint);
  await auditAction(context, actor, endpoint, { action, parameters });
  return endpoint;
}
