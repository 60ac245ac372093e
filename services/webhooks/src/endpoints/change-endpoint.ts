import type { Actor } from '@tollgate/contracts/actor';
import type { AuditAction } from '@tollgate/contracts/audit';
import { Problem } from '@tollgate/contracts/problem';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireRoleFor } from '../access/permissions.ts';
import { endpointAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

/** Losing this many races in a row takes more writers than a team has members. */
const MAX_ATTEMPTS = 5;

export interface EndpointRef {
  endpointId: string;
  /** The version the caller read; undefined means whatever it is now. */
  ifVersion?: number | undefined;
}

export interface EndpointChange {
  action: AuditAction;
  /** Completes "You may not …". */
  what: string;
  /** Gives back the same object when there is nothing to change; then nothing is stored or audited. */
  apply: (endpoint: Endpoint, now: Date) => Endpoint | Promise<Endpoint>;
}

/**
 * The way of every change of an endpoint by a member: read, decide, store with its audit entry unless someone was faster.
 * Throws `not-found`, `forbidden`, `precondition-failed`, `conflict`.
 */
export async function changeEndpoint(
  context: Context,
  actor: Actor,
  { endpointId, ifVersion }: EndpointRef,
  change: EndpointChange,
): Promise<Endpoint> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findEndpoint(context, actor.team_id, endpointId);
    requireRoleFor(actor, before.environment, change.what);
    if (ifVersion !== undefined && ifVersion !== before.version) {
      throw new Problem(
        'precondition-failed',
        `You sent version ${ifVersion}, but the endpoint is now at version ${before.version}.`,
      );
    }
    const after = await change.apply(before, new Date(context.clock.now()));
    if (after === before) return before;
    const audit = endpointAuditEntry(change.action, actor, before, after, after.updatedAt);
    if (!(await context.endpoints.replace(before, after, audit))) continue;
    context.audit.enqueue([auditMessage(after.id, audit)]);
    context.announce.endpoint(after);
    context.dispatcher.wake(after.id);
    return after;
  }
  throw new Problem(
    'conflict',
    'The endpoint is being changed by other requests. Fetch it again, then retry.',
  );
}
