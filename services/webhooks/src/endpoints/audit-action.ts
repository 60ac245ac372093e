import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { endpointActionEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointNotFound } from './find-endpoint.ts';

/** Stores the audit entry of an action that changes no field of the endpoint. Throws `not-found` when it was deleted meanwhile. */
export async function auditAction(
  context: Context,
  actor: Actor,
  endpoint: Endpoint,
  { action, parameters = {} }: { action: AuditAction; parameters?: Record<string, unknown> },
): Promise<void> {
  const audit = signAuditEntry(
    context.signer,
    endpointActionEntry(action, actor, endpoint, new Date(context.clock.now()), parameters),
  );
  if (!(await context.endpoints.record(actor.team_id, endpoint.id, audit)))
    throw endpointNotFound(endpoint.id);
  context.audit.enqueue([auditMessage(endpoint.id, audit)]);
}
