import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { createKey as contract } from '@tollgate/contracts/applications/rpc';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { requireRecentAuthenticationForKeys, requireRoleForKeys } from '../access/permissions.ts';
import type { Application } from '../applications/application.ts';
import { findApplication, requireActive } from '../applications/find-application.ts';
import { keyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { newApiKey } from './api-key.ts';
import { findWithoutSecret, type KeyWithSecret, newCredential } from './credential.ts';
import { parseKeyFields } from './parse-key-fields.ts';

type Request = Static<typeof contract.request>;

/** Creates a key and returns its credential, once. Throws `forbidden`, `reauthentication-required`, `not-found`, `conflict`, `invalid-request`. */
export async function createKey(
  context: Context,
  actor: Actor,
  request: Request,
  call: IdempotentCall | null,
): Promise<KeyWithSecret> {
  const application = await findApplication(context, actor.team_id, request.application_id);
  requireRoleForKeys(actor, request.environment);
  requireRecentAuthenticationForKeys(actor, request.environment, context);
  return createOnce(context, actor, call, {
    newId: () => newId('apiKey'),
    idOf: ({ key }) => key._id,
    find: (id) => findWithoutSecret(context, actor.team_id, id),
    create: (reserveId) => insertKey(context, actor, application, request, reserveId),
  });
}

async function insertKey(
  context: Context,
  actor: Actor,
  application: Application,
  request: Request,
  reserveId: () => Promise<string>,
): Promise<KeyWithSecret> {
  requireActive(application);
  const now = new Date(context.clock.now());
  const { application_id, environment, ...chosen } = request;
  const fields = parseKeyFields(chosen, application, now);
  await requireRoomForKey(context, application, now);

  const { secret, kept } = newCredential(environment, context.peppers);
  const owner = { team_id: actor.team_id, application_id, environment };
  const key = newApiKey({ ...owner, ...fields, ...kept, _id: await reserveId() }, now);
  await insertAudited(context, context.apiKeys, key, keyEntry('key.created', actorAuthor(actor))(null, key));
  await publishPrincipalsOrDefer(context, [keyEntryKey(key.lookup_id)]);
  return { key, secret };
}

/**
 * Counts before the insert, so keys created at the same time can exceed the limit by a few. The limit keeps a loop from
 * filling every gateway's memory, and need not be exact.
 */
async function requireRoomForKey(context: Context, application: Application, now: Date): Promise<void> {
  const max = APPLICATION_LIMITS.activeKeysPerApplication;
  const count = await context.apiKeys.countActive(application.team_id, application._id, now);
  if (count < max) return;
  throw new Problem(
    'conflict',
    `The application has reached its limit of ${max} active keys. Revoke one first.`,
  );
}
