import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { ApiKey } from './api-key.ts';

/** The team's key. Throws `not-found`, also for one of another team, so that callers cannot learn which ids exist. */
export async function findKey(context: Context, teamId: string, keyId: string): Promise<ApiKey> {
  const key = await context.apiKeys.find(teamId, keyId);
  if (!key) throw new Problem('not-found', `Your team has no API key ${keyId}.`);
  return key;
}
