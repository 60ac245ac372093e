import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { recordNotFound } from '@tollgate/store/audited-records';
import type { Context } from '../context.ts';
import type { ApiKey } from './api-key.ts';

/** The team's key. Throws `not-found`, also for one of another team, so that callers cannot learn which ids exist. */
export async function findKey({ apiKeys }: Context, teamId: string, keyId: string): Promise<ApiKey> {
  const key = await apiKeys.find(teamId, keyId);
  if (!key) throw recordNotFound(apiKeys, keyId);
  return key;
}

/** Like `findKey`, for a reader. Throws `forbidden` too. */
export async function getKey(context: Context, actor: Actor, keyId: string): Promise<ApiKey> {
  const key = await findKey(context, actor.team_id, keyId);
  requireEnvironment(actor, key.environment);
  return key;
}
