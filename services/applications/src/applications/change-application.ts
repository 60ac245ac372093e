import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Labels } from '@tollgate/contracts/applications/labels';
import { applicationEntryKey } from '@tollgate/contracts/applications/principal';
import type * as contract from '@tollgate/contracts/applications/rpc';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import {
  requireRoleForApplication,
  requireRoleForKeyRequirement,
  requireRoleForLimits,
} from '../access/permissions.ts';
import { requireRoleForAccess } from '../access/require-role-for-access.ts';
import { applicationEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';
import { type Application, edited, labelTexts } from './application.ts';
import { EXISTS } from './application-store.ts';

/** `if_version` is the version that the caller read; absent accepts any version. */
export type ApplicationRef = Static<typeof contract.archiveApplication.request>;

interface ApplicationChange {
  action: AuditAction;
  /** Throws `forbidden` when the actor may not make this change. */
  authorize: (application: Application) => Promise<void> | void;
  /** Returns the same object when nothing changes; then nothing is stored or audited. */
  apply: (application: Application, now: Date) => Application | Promise<Application>;
}

/**
 * Applies a change to an application, and returns once the bucket that gateways mirror states it. Throws `not-found`,
 * `forbidden`, `precondition-failed`, `conflict`, `unavailable`. So do the changes below.
 */
export async function changeApplication(
  context: Context,
  actor: Actor,
  { application_id, if_version }: ApplicationRef,
  { action, authorize, apply }: ApplicationChange,
): Promise<Application> {
  const after = await changeAudited(
    context,
    context.applications,
    { _id: application_id, team_id: actor.team_id, ...EXISTS },
    async (before, now) => {
      await authorize(before);
      requireVersion(if_version, before.version, 'the application');
      return apply(before, now);
    },
    applicationEntry(action, actorAuthor(actor)),
  );
  await publishPrincipals(context, [applicationEntryKey(after._id)]);
  return after;
}

/** Throws `invalid-request` too. */
export function renameApplication(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.renameApplication.request>,
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.renamed',
    authorize: () => requireRoleForApplication(actor, 'rename applications'),
    apply: (application, now) => edited(application, { name: parseName(request.name) }, now),
  });
}

/** Its keys lose a removed scope immediately. */
export function setScopes(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.setScopes.request>,
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.scopes_changed',
    authorize: (application) =>
      requireRoleForAccess(context, actor, application, 'change the scopes of an application'),
    apply: (application, now) => edited(application, { scopes: request.scopes }, now),
  });
}

/** Sets the rate limits of both environments. */
export function setLimits(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.setLimits.request>,
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.limits_changed',
    authorize: () => requireRoleForLimits(actor),
    apply: (application, now) => edited(application, { limits: request.limits }, now),
  });
}

/** Replaces all labels. Throws `invalid-request` too. */
export function setLabels(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.setLabels.request>,
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.labels_changed',
    authorize: () => requireRoleForApplication(actor, 'change labels'),
    apply: (application, now) => edited(application, { labels: parseLabels(request.labels) }, now),
  });
}

/** Sets whether creating a payment requires an `Idempotency-Key`. */
export function setIdempotencyKeyRequirement(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.setIdempotencyKeyRequirement.request>,
): Promise<Application> {
  const { require_idempotency_key } = request;
  return changeApplication(context, actor, request, {
    action: 'application.idempotency_key_requirement_changed',
    authorize: (application) =>
      requireRoleForKeyRequirement(actor, application.require_idempotency_key, require_idempotency_key),
    apply: (application, now) => edited(application, { require_idempotency_key }, now),
  });
}

/** Ends all access of the application until it is restored; its keys are unchanged. */
export function archiveApplication(
  context: Context,
  actor: Actor,
  request: ApplicationRef,
): Promise<Application> {
  return setStatus(context, actor, request, { action: 'application.archived', status: 'archived' });
}

/** Restores the access of an archived application, with the keys that are still active. */
export function restoreApplication(
  context: Context,
  actor: Actor,
  request: ApplicationRef,
): Promise<Application> {
  return setStatus(context, actor, request, { action: 'application.restored', status: 'active' });
}

function setStatus(
  context: Context,
  actor: Actor,
  request: ApplicationRef,
  { action, status }: { action: AuditAction; status: Application['status'] },
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action,
    authorize: (application) =>
      requireRoleForAccess(context, actor, application, 'change the status of an application'),
    apply: (application, now) => edited(application, { status }, now),
  });
}

/** The labels as stored. Throws `invalid-request` if one of them holds a card number. */
export function parseLabels(labels: Labels): string[] {
  requireNoCardNumber('/labels', Object.entries(labels).flat());
  return labelTexts(labels);
}
