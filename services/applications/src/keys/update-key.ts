import type { Actor } from '@tollgate/contracts/accounts/actor';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireVersion } from '@tollgate/store/require-version';
import { requireRoleForKeys } from '../access/permissions.ts';
import { findApplication } from '../applications/find-application.ts';
import { keyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';
import { type ApiKey, edited, type KeyEdit } from './api-key.ts';
import { findKey } from './find-key.ts';
import { parseKeyFields } from './parse-key-fields.ts';
import { requireCurrent } from './require-current.ts';

/** Losing this many races in a row would take more concurrent writers than a team has members. */
const MAX_ATTEMPTS = 5;

export type UpdateKeyRequest = KeyEdit & { keyId: string; ifVersion: number | undefined };

/**
 * Changes a key, and returns once the bucket that gateways mirror holds the change, because it may narrow access. The
 * decision is repeated when another write was first, so that no edit undoes a revocation. Throws `forbidden`,
 * `not-found`, `precondition-failed`, `conflict`, `invalid-request`, `unavailable`.
 */
export async function updateKey(
  context: Context,
  actor: Actor,
  { keyId, ifVersion, ...edit }: UpdateKeyRequest,
): Promise<ApiKey> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findKey(context, actor.team_id, keyId);
    requireRoleForKeys(actor, before.environment);
    requireVersion(ifVersion, before.version, 'the key');
    const now = new Date(context.clock.now());
    // A key that ended stays ended: its owner may have stopped guarding it. A rotated key would outlive its overlap with
    // another expiry.
    requireCurrent(before, now, { done: 'changed', todo: 'Change' });
    const application = await findApplication(context, actor.team_id, before.applicationId);
    const after = edited(before, parseKeyFields(edit, application, now), now);
    if (after !== before) {
      const audit = signAuditEntry(
        context.signer,
        keyAuditEntry('key.updated', actorAuthor(actor), before, after),
      );
      if (!(await context.apiKeys.saveEdited(before, after, audit))) continue;
      context.audit.enqueue([auditMessage(after.id, audit)]);
    }
    await publishPrincipals(context, [keyEntryKey(after.lookupId)]);
    return after;
  }
  throw new Problem('conflict', 'The key is being changed by other requests. Retry the request.');
}
