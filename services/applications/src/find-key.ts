import { Problem } from '@tollgate/contracts/problem';
import type { ApiKey } from './api-key.ts';
import type { Context } from './context.ts';

/** The key of the team's application. Throws `not-found`, also for a key of another application or team. */
export async function findKey(
  context: Context,
  teamId: string,
  ref: { applicationId: string; keyId: string },
): Promise<ApiKey> {
  const key = await context.apiKeys.find(teamId, ref.applicationId, ref.keyId);
  if (!key) throw new Problem('not-found', `The application ${ref.applicationId} has no key ${ref.keyId}.`);
  return key;
}
