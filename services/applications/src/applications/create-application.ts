import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT } from '@tollgate/contracts/applications/idempotency-key-requirement';
import { applicationEntryKey } from '@tollgate/contracts/applications/principal';
import type { createApplication as contract } from '@tollgate/contracts/applications/rpc';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRole } from '@tollgate/security/require-role';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { requireRoleForKeyRequirement, requireRoleForLimits } from '../access/permissions.ts';
import { applicationEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { type Application, newApplication } from './application.ts';
import { parseLabels } from './change-application.ts';

type Request = Static<typeof contract.request>;

/**
 * Creates an application of the actor's team. What the actor may not change later, the actor cannot choose here either.
 * Throws `forbidden`, `invalid-request`, `conflict`.
 */
export async function createApplication(
  context: Context,
  actor: Actor,
  request: Request,
  call: IdempotentCall | null,
): Promise<Application> {
  requireRole(actor, 'developer', 'create applications');
  return createOnce(context, actor, call, {
    newId: () => newId('application'),
    idOf: ({ _id }) => _id,
    find: (id) => context.applications.find(actor.team_id, id),
    create: (reserveId) => insertApplication(context, actor, request, reserveId),
  });
}

async function insertApplication(
  context: Context,
  actor: Actor,
  { name, labels = {}, ...fields }: Request,
  reserveId: () => Promise<string>,
): Promise<Application> {
  const { team_id } = actor;
  if (fields.limits) requireRoleForLimits(actor);
  if (fields.require_idempotency_key)
    requireRoleForKeyRequirement(actor, DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT, fields.require_idempotency_key);
  const parsed = { ...fields, name: parseName(name), labels: parseLabels(labels) };
  const now = new Date(context.clock.now());
  const application = newApplication({ ...parsed, team_id, _id: await reserveId() }, now);
  const entry = applicationEntry('application.created', actorAuthor(actor))(null, application);
  const isInserted = await context.applications.insertInSlot(team_id, (slot) =>
    insertAudited(context, context.applications, { ...application, slot }, entry),
  );
  if (!isInserted) throw noRoom();
  // An error here would make the caller retry, and create a second application.
  await publishPrincipalsOrDefer(context, [applicationEntryKey(application._id)]);
  return application;
}

function noRoom(): Problem {
  return new Problem(
    'conflict',
    `The team has reached its limit of ${APPLICATION_LIMITS.applicationsPerTeam} applications, including archived ones. Delete or reuse one of them.`,
  );
}
