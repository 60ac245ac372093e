import type { Actor } from '@tollgate/contracts/actor';
import type { Context } from '../context.ts';
import type { ApiKey } from './api-key.ts';
import { findKey } from './find-key.ts';

/** Throws `not-found`. Every member of the team may read. */
export async function getKey(context: Context, actor: Actor, request: { keyId: string }): Promise<ApiKey> {
  return findKey(context, actor.team_id, request.keyId);
}
