import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { actorAuthor } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import { endpointActionEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/** Returns the team's endpoint. Throws `not-found`, also for another team's endpoint, and `forbidden` outside the actor's environments. */
export async function findEndpoint(
  { endpoints }: Pick<Context, 'endpoints'>,
  actor: Actor,
  endpointId: string,
): Promise<Endpoint> {
  const endpoint = await endpoints.find(actor.team_id, endpointId);
  if (!endpoint) throw notFound(endpointId);
  requireEnvironment(actor, endpoint.environment);
  return endpoint;
}

/** Stores the audit entry of an action that changes no field of the endpoint. Throws `not-found` when it was deleted meanwhile. */
export async function auditAction(
  context: Context,
  actor: Actor,
  endpoint: Endpoint,
  action: AuditAction,
  parameters: Record<string, unknown> = {},
): Promise<void> {
  const at = new Date(context.clock.now());
  const isStored = await recordAudited(
    context,
    context.endpoints,
    context.endpoints.existing(actor.team_id, endpoint._id),
    endpointActionEntry(action, actorAuthor(actor), endpoint, at, parameters),
  );
  if (!isStored) throw notFound(endpoint._id);
}

/** Throws `conflict` for a disabled endpoint. */
export function requireEnabled(endpoint: Endpoint): void {
  if (endpoint.disabled === null) return;
  throw new Problem('conflict', 'The endpoint is disabled. Enable it first.');
}

function notFound(endpointId: string): Problem {
  return new Problem('not-found', `Your team has no webhook endpoint ${endpointId}.`);
}
