import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireRoleForKeys } from '../access/permissions.ts';
import { keyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiKey, leakHandled } from '../keys/api-key.ts';
import { findKey } from '../keys/find-key.ts';

/** Losing this many races in a row would take more concurrent writers than a team has members. */
const MAX_ATTEMPTS = 5;

/** Marks the leak of a key as handled. Marking it again changes nothing. Throws `forbidden`, `not-found`, `conflict`. */
export async function handleLeak(
  context: Context,
  actor: Actor,
  { keyId }: { keyId: string },
): Promise<ApiKey> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findKey(context, actor.team_id, keyId);
    requireRoleForKeys(actor, before.environment);
    const after = leakHandled(before, new Date(context.clock.now()));
    if (after === before) return before;
    const entry = keyAuditEntry('key.leak_handled', actorAuthor(actor), before, after);
    const audit = signAuditEntry(context.signer, entry);
    if (!(await context.apiKeys.saveLeakHandled(before, after, audit))) continue;
    context.audit.enqueue([auditMessage(after.id, audit)]);
    return after;
  }
  throw new Problem('conflict', 'The key is being changed by other requests. Retry the request.');
}
