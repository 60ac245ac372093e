import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import {
  DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT,
  type IdempotencyKeyRequirement,
} from '@tollgate/contracts/applications/idempotency-key-requirement';
import type { Labels } from '@tollgate/contracts/applications/labels';
import { applicationEntryKey } from '@tollgate/contracts/applications/principal';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireRole } from '@tollgate/security/require-role';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { requireRoleForKeyRequirement, requireRoleForLimits } from '../access/permissions.ts';
import { applicationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { type Application, type Limits, newApplication } from './application.ts';
import { parseLabels } from './parse-labels.ts';

export interface CreateApplicationRequest {
  name: string;
  scopes: Scope[];
  /** Undefined: the default limits. */
  limits: Limits | undefined;
  labels: Labels | undefined;
  /** Undefined: the default requirement. */
  requireIdempotencyKey: IdempotencyKeyRequirement | undefined;
}

/**
 * Creates an application of the actor's team. What the actor may not change later, the actor cannot choose here either.
 * Throws `forbidden`, `invalid-request`, `conflict`.
 */
export async function createApplication(
  context: Context,
  actor: Actor,
  request: CreateApplicationRequest,
  call: IdempotentCall | null,
): Promise<Application> {
  requireRole(actor, 'developer', 'create applications');
  return createOnce(context, actor, call, {
    newId: () => newId('application'),
    idOf: ({ id }) => id,
    find: (id) => context.applications.find(actor.team_id, id),
    create: (reserveId) => insertApplication(context, actor, request, reserveId),
  });
}

async function insertApplication(
  context: Context,
  actor: Actor,
  request: CreateApplicationRequest,
  reserveId: () => Promise<string>,
): Promise<Application> {
  const { limits, requireIdempotencyKey } = request;
  if (limits) requireRoleForLimits(actor);
  if (requireIdempotencyKey)
    requireRoleForKeyRequirement(actor, DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT, requireIdempotencyKey);
  const labels = request.labels && parseLabels(request.labels);
  const fields = { ...request, labels, teamId: actor.team_id, name: parseName(request.name) };
  const now = new Date(context.clock.now());
  const application = newApplication({ ...fields, id: await reserveId() }, now);
  const audit = signAuditEntry(
    context.signer,
    applicationAuditEntry('application.created', actorAuthor(actor), null, application),
  );
  if (!(await context.applications.insert(application, audit))) throw noRoom();
  context.audit.enqueue([auditMessage(application.id, audit)]);
  // An error here would make the caller retry, and create a second application.
  await publishPrincipalsOrDefer(context, [applicationEntryKey(application.id)]);
  return application;
}

function noRoom(): Problem {
  return new Problem(
    'conflict',
    `The team has reached its limit of ${APPLICATION_LIMITS.applicationsPerTeam} applications, including archived ones. Delete or reuse one of them.`,
  );
}
