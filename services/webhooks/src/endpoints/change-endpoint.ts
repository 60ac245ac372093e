import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireVersion } from '@tollgate/store/require-version';
import { requireRoleFor } from '../access/permissions.ts';
import { endpointAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

/** No team has enough writers to lose this many races in a row. */
const MAX_ATTEMPTS = 5;

export interface EndpointRef {
  endpointId: string;
  /** The version that the caller read; undefined accepts any version. */
  ifVersion?: number | undefined;
}

export interface EndpointChange {
  action: AuditAction;
  /** Completes "You cannot …". */
  what: string;
  /** Returns the same object when nothing changes; then nothing is stored or audited. */
  apply: (endpoint: Endpoint, now: Date) => Endpoint | Promise<Endpoint>;
}

/**
 * Stores a member's change of an endpoint with its audit entry; applies it again if the endpoint changed meanwhile.
 * Throws `not-found`, `forbidden`, `precondition-failed`, `conflict`.
 */
export async function changeEndpoint(
  context: Context,
  actor: Actor,
  { endpointId, ifVersion }: EndpointRef,
  change: EndpointChange,
): Promise<Endpoint> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findEndpoint(context, actor, endpointId);
    requireRoleFor(actor, before.environment, change.what);
    requireVersion(ifVersion, before.version, 'the endpoint');
    const after = await change.apply(before, new Date(context.clock.now()));
    if (after === before) return before;
    const audit = signAuditEntry(
      context.signer,
      endpointAuditEntry(change.action, actor, before, after, after.updatedAt),
    );
    if (!(await context.endpoints.replace(before, after, audit))) continue;
    context.audit.enqueue([auditMessage(after.id, audit)]);
    context.announce.endpoint(after);
    context.dispatcher.wake(after.id);
    return after;
  }
  throw new Problem(
    'conflict',
    'Other members are changing the endpoint at the same time. Read it again, then retry.',
  );
}
