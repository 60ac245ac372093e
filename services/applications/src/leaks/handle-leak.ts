import type { Actor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireRoleForKeys } from '../access/permissions.ts';
import { keyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiKey, leakHandled } from '../keys/api-key.ts';

/** Marks the leak of a key as handled. Marking it again changes nothing. Throws `forbidden`, `not-found`, `conflict`. */
export function handleLeak(context: Context, actor: Actor, keyId: string): Promise<ApiKey> {
  return changeAudited(
    context,
    context.apiKeys,
    { _id: keyId, team_id: actor.team_id },
    (key, now) => {
      requireRoleForKeys(actor, key.environment);
      return leakHandled(key, now);
    },
    keyEntry('key.leak_handled', actorAuthor(actor)),
  );
}
