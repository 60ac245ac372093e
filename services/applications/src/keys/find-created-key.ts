import type { Context } from '../context.ts';
import type { KeyWithSecret } from './credential.ts';

/** The team's key without its secret, for a repeated request; null if it does not exist. */
export async function findCreatedKey(
  { apiKeys }: Pick<Context, 'apiKeys'>,
  teamId: string,
  keyId: string,
): Promise<KeyWithSecret | null> {
  const key = await apiKeys.find(teamId, keyId);
  return key && { key, secret: null };
}
