import type { Actor } from '@tollgate/contracts/accounts/actor';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireRoleForKeys } from '../access/permissions.ts';
import { keyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';
import { type ApiKey, revoked } from './api-key.ts';
import { findKey } from './find-key.ts';

/** Losing this many races in a row would take more concurrent writers than a team has members. */
const MAX_ATTEMPTS = 5;

/**
 * Revokes a key permanently, and returns once the bucket that gateways mirror states it. Revoking again changes nothing
 * and keeps the first reason. Throws `forbidden`, `not-found`, `unavailable`.
 */
export async function revokeKey(
  context: Context,
  actor: Actor,
  request: { keyId: string; reason: string | null },
): Promise<ApiKey> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findKey(context, actor.team_id, request.keyId);
    requireRoleForKeys(actor, before.environment);
    const after = revoked(before, request.reason, new Date(context.clock.now()));
    if (after !== before) {
      const audit = signAuditEntry(
        context.signer,
        keyAuditEntry('key.revoked', actorAuthor(actor), before, after),
      );
      if (!(await context.apiKeys.saveRevoked(before, after, audit))) continue;
      context.audit.enqueue([auditMessage(after.id, audit)]);
    }
    await publishPrincipals(context, [keyEntryKey(after.lookupId)]);
    return after;
  }
  throw new Problem('conflict', 'The key is being changed by other requests. Retry the request.');
}
