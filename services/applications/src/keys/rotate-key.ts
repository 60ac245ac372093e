import type { Actor } from '@tollgate/contracts/accounts/actor';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { requireRecentAuthenticationForKeys, requireRoleForKeys } from '../access/permissions.ts';
import { findApplication, requireActive } from '../applications/find-application.ts';
import { keyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { type ApiKey, rotated } from './api-key.ts';
import { type KeyWithSecret, newCredential } from './credential.ts';
import { findCreatedKey } from './find-created-key.ts';
import { findKey } from './find-key.ts';
import { requireCurrent } from './require-current.ts';

/**
 * Creates a successor with the old key's name, scopes, CIDRs, environment, and expiry; the old key stays active for the
 * overlap.
 *
 * Two documents change, one after the other, and the first write decides: if the old key is unchanged since it was
 * read, the write ends it and stores the whole successor inside it. So the loser of two concurrent rotations has
 * written nothing, and a crash between the writes leaves nothing to undo: `completeRotations` makes the second write.
 *
 * Throws `forbidden`, `reauthentication-required`, `not-found`, `conflict`.
 */
export async function rotateKey(
  context: Context,
  actor: Actor,
  request: { keyId: string; overlapMs: number },
  call: IdempotentCall | null,
): Promise<KeyWithSecret> {
  const before = await findKey(context, actor.team_id, request.keyId);
  requireRoleForKeys(actor, before.environment);
  requireRecentAuthenticationForKeys(actor, before.environment, context);
  return createOnce(context, actor, call, {
    newId: () => newId('apiKey'),
    idOf: ({ key }) => key.id,
    find: (id) => findSuccessor(context, before, id),
    create: (reserveId) => replaceKey(context, actor, before, request.overlapMs, reserveId),
  });
}

/** Completes the rotation first if a crash interrupted it, or if a concurrent request is between its two writes. */
async function findSuccessor(context: Context, old: ApiKey, id: string): Promise<KeyWithSecret | null> {
  const rotation = await context.apiKeys.findIncompleteRotation(old.teamId, id);
  if (rotation) await context.apiKeys.completeRotation(rotation);
  return findCreatedKey(context, old.teamId, id);
}

async function replaceKey(
  context: Context,
  actor: Actor,
  before: ApiKey,
  overlapMs: number,
  reserveId: () => Promise<string>,
): Promise<KeyWithSecret> {
  requireActive(await findApplication(context, actor.team_id, before.applicationId));
  const now = new Date(context.clock.now());
  requireCurrent(before, now, { done: 'rotated', todo: 'Rotate' });

  const { secret, kept } = newCredential(before.environment, context.peppers);
  const rotation = rotated(before, { ...kept, id: await reserveId() }, overlapMs, now);
  const audit = signAuditEntry(
    context.signer,
    keyAuditEntry('key.rotated', actorAuthor(actor), before, rotation.old),
  );
  if (!(await context.apiKeys.saveRotated(before, rotation, audit))) {
    throw new Problem(
      'conflict',
      'The key was rotated or revoked by another request. Fetch it again, then retry.',
    );
  }
  context.audit.enqueue([auditMessage(before.id, audit)]);
  await context.apiKeys.completeRotation(rotation);
  const { old, successor } = rotation;
  await publishPrincipalsOrDefer(context, [keyEntryKey(successor.lookupId), keyEntryKey(old.lookupId)]);
  return { key: successor, secret };
}
