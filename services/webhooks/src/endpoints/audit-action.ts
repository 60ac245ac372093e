import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { actorAuthor } from '@tollgate/store/audit-author';
import { recordAudited, recordNotFound } from '@tollgate/store/audited-records';
import { endpointActionEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/** Stores the audit entry of an action that changes no field of the endpoint. Throws `not-found` when it was deleted meanwhile. */
export async function auditAction(
  context: Context,
  actor: Actor,
  endpoint: Endpoint,
  action: AuditAction,
  parameters: Record<string, unknown> = {},
): Promise<void> {
  const { endpoints, clock } = context;
  const own = endpoints.existing(actor.team_id, endpoint._id);
  const at = new Date(clock.now());
  const entry = endpointActionEntry(action, actorAuthor(actor), endpoint, at, parameters);
  if (!(await recordAudited(context, endpoints, own, entry))) throw recordNotFound(endpoints, endpoint._id);
}
