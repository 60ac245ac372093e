import type { Actor } from '@tollgate/contracts/accounts/actor';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { revokeKey as contract } from '@tollgate/contracts/applications/rpc';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { requireRoleForKeys } from '../access/permissions.ts';
import { keyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';
import { type ApiKey, revoked } from './api-key.ts';

/**
 * Revokes a key permanently, and returns once the bucket that gateways mirror states it. Revoking again changes nothing
 * and keeps the first reason. Throws `forbidden`, `not-found`, `conflict`, `unavailable`.
 */
export async function revokeKey(
  context: Context,
  actor: Actor,
  { key_id, reason }: Static<typeof contract.request>,
): Promise<ApiKey> {
  const key = await changeAudited(
    context,
    context.apiKeys,
    { _id: key_id, team_id: actor.team_id },
    (before, now) => {
      requireRoleForKeys(actor, before.environment);
      return revoked(before, reason ?? null, now);
    },
    keyEntry('key.revoked', actorAuthor(actor)),
  );
  await publishPrincipals(context, [keyEntryKey(key.lookup_id)]);
  return key;
}
