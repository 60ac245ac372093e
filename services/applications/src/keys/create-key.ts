import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { requireRecentAuthenticationForKeys, requireRoleForKeys } from '../access/permissions.ts';
import type { Application } from '../applications/application.ts';
import { findApplication, requireActive } from '../applications/find-application.ts';
import { keyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { newApiKey } from './api-key.ts';
import { type KeyWithSecret, newCredential } from './credential.ts';
import { findCreatedKey } from './find-created-key.ts';
import { parseKeyFields } from './parse-key-fields.ts';

export interface CreateKeyRequest {
  applicationId: string;
  name: string;
  environment: Environment;
  /** Null: all scopes of the application, now and later. */
  scopes: Scope[] | null;
  expiresAt: Date | null;
  /** Empty: any address. */
  allowedCidrs: string[];
}

/** Creates a key and returns its credential, once. Throws `forbidden`, `reauthentication-required`, `not-found`, `conflict`, `invalid-request`. */
export async function createKey(
  context: Context,
  actor: Actor,
  request: CreateKeyRequest,
  call: IdempotentCall | null,
): Promise<KeyWithSecret> {
  const application = await findApplication(context, actor.team_id, request.applicationId);
  requireRoleForKeys(actor, request.environment);
  requireRecentAuthenticationForKeys(actor, request.environment, context);
  return createOnce(context, actor, call, {
    newId: () => newId('apiKey'),
    idOf: ({ key }) => key.id,
    find: (id) => findCreatedKey(context, actor.team_id, id),
    create: (reserveId) => insertKey(context, actor, application, request, reserveId),
  });
}

async function insertKey(
  context: Context,
  actor: Actor,
  application: Application,
  request: CreateKeyRequest,
  reserveId: () => Promise<string>,
): Promise<KeyWithSecret> {
  requireActive(application);
  const now = new Date(context.clock.now());
  const { name, allowedCidrs } = parseKeyFields(request, application, now);
  await requireRoomForKey(context, application, now);

  const { secret, kept } = newCredential(request.environment, context.peppers);
  const { environment, scopes, expiresAt } = request;
  const owner = { teamId: application.teamId, applicationId: application.id };
  const id = await reserveId();
  const key = newApiKey({ id, ...owner, ...kept, environment, name, scopes, expiresAt, allowedCidrs }, now);
  const audit = signAuditEntry(context.signer, keyAuditEntry('key.created', actorAuthor(actor), null, key));
  await context.apiKeys.insert(key, audit);
  context.audit.enqueue([auditMessage(key.id, audit)]);
  await publishPrincipalsOrDefer(context, [keyEntryKey(key.lookupId)]);
  return { key, secret };
}

/**
 * Counts before the insert, so keys created at the same time can exceed the limit by a few. The limit keeps a loop from
 * filling every gateway's memory, and need not be exact.
 */
async function requireRoomForKey(context: Context, application: Application, now: Date): Promise<void> {
  const max = APPLICATION_LIMITS.activeKeysPerApplication;
  const count = await context.apiKeys.countActive(application.teamId, application.id, now);
  if (count < max) return;
  throw new Problem(
    'conflict',
    `The application has reached its limit of ${max} active keys. Revoke one first.`,
  );
}
