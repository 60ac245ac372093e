import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireEnvironment } from '@tollgate/security/require-environment';
import type { Context } from '../context.ts';
import type { ApiKey } from './api-key.ts';
import { findKey } from './find-key.ts';

/** Throws `not-found`. Every member of the team may read. */
export async function getKey(context: Context, actor: Actor, request: { keyId: string }): Promise<ApiKey> {
  const key = await findKey(context, actor.team_id, request.keyId);
  requireEnvironment(actor, key.environment);
  return key;
}
