import type { Actor } from '@tollgate/contracts/actor';
import type { AuditAction } from '@tollgate/contracts/audit';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { endpointActEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointNotFound } from './find-endpoint.ts';

/** Stores that the member does something with the endpoint that changes no field of it. Throws `not-found` when it was deleted meanwhile. */
export async function recordAct(
  context: Context,
  actor: Actor,
  endpoint: Endpoint,
  { action, parameters = {} }: { action: AuditAction; parameters?: Record<string, unknown> },
): Promise<void> {
  const audit = endpointActEntry(action, actor, endpoint, new Date(context.clock.now()), parameters);
  if (!(await context.endpoints.record(actor.team_id, endpoint.id, audit)))
    throw endpointNotFound(endpoint.id);
  context.audit.enqueue([auditMessage(endpoint.id, audit)]);
}
