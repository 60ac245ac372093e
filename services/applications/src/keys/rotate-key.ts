import type { Actor } from '@tollgate/contracts/accounts/actor';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { rotateKey as contract } from '@tollgate/contracts/applications/rpc';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { requireRecentAuthenticationForKeys, requireRoleForKeys } from '../access/permissions.ts';
import { findApplication, requireActive } from '../applications/find-application.ts';
import { keyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { type ApiKey, rotated } from './api-key.ts';
import { findWithoutSecret, type KeyWithSecret, newCredential } from './credential.ts';
import { findKey } from './find-key.ts';
import { requireCurrent } from './require-current.ts';

/**
 * Creates a successor with the old key's name, scopes, CIDRs, environment, and expiry; the old key stays active for the
 * overlap.
 *
 * Two documents change, one after the other, and the first write decides: if the old key is unchanged since it was
 * read, the write ends it and stores the whole successor inside it. So the loser of two concurrent rotations has
 * written nothing, and a crash between the writes leaves nothing to undo: the reconciliation makes the second write.
 *
 * Throws `forbidden`, `reauthentication-required`, `not-found`, `conflict`.
 */
export async function rotateKey(
  context: Context,
  actor: Actor,
  { key_id, overlap_s }: Static<typeof contract.request>,
  call: IdempotentCall | null,
): Promise<KeyWithSecret> {
  const before = await findKey(context, actor.team_id, key_id);
  requireRoleForKeys(actor, before.environment);
  requireRecentAuthenticationForKeys(actor, before.environment, context);
  return createOnce(context, actor, call, {
    newId: () => newId('apiKey'),
    idOf: ({ key }) => key._id,
    find: (id) => findSuccessor(context, before, id),
    create: (reserveId) => replaceKey(context, actor, before, overlap_s * 1000, reserveId),
  });
}

/** Completes the rotation first if a crash interrupted it, or if a concurrent request is between its two writes. */
async function findSuccessor(context: Context, old: ApiKey, id: string): Promise<KeyWithSecret | null> {
  const rotating = await context.apiKeys.findRotating(old.team_id, id);
  if (rotating) await context.apiKeys.completeRotation(rotating);
  return findWithoutSecret(context, old.team_id, id);
}

async function replaceKey(
  context: Context,
  actor: Actor,
  read: ApiKey,
  overlapMs: number,
  reserveId: () => Promise<string>,
): Promise<KeyWithSecret> {
  requireActive(await findApplication(context, actor.team_id, read.application_id));
  const { secret, kept } = newCredential(read.environment, context.peppers);
  const old = await changeAudited(
    context,
    context.apiKeys,
    { _id: read._id, team_id: actor.team_id },
    async (before, now) => {
      requireCurrent(before, now, { done: 'rotated', todo: 'Rotate' });
      return rotated(before, { ...kept, _id: await reserveId() }, overlapMs, now);
    },
    keyEntry('key.rotated', actorAuthor(actor)),
  );
  const successor = old.successor as ApiKey;
  await context.apiKeys.completeRotation(old);
  await publishPrincipalsOrDefer(context, [keyEntryKey(successor.lookup_id), keyEntryKey(old.lookup_id)]);
  return { key: successor, secret };
}
