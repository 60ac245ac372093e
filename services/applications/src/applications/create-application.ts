import type { Actor } from '@tollgate/contracts/actor';
import { parseName } from '@tollgate/contracts/parse-name';
import { applicationEntryKey } from '@tollgate/contracts/principal';
import type { Scope } from '@tollgate/contracts/scopes';
import { requireRole } from '@tollgate/security/require-role';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { applicationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipalsOrDefer } from '../principals/publish-principals.ts';
import { type Application, newApplication } from './application.ts';

/** Creates an application of the actor's team, with the default limits. Throws `forbidden`, `invalid-request`. */
export async function createApplication(
  context: Context,
  actor: Actor,
  request: { name: string; scopes: Scope[] },
): Promise<Application> {
  requireRole(actor, 'developer', 'create applications');
  const { scopes } = request;
  const application = newApplication(
    { teamId: actor.team_id, name: parseName(request.name), scopes },
    new Date(context.clock.now()),
  );
  const audit = applicationAuditEntry('application.created', actor, null, application);
  await context.applications.insert(application, audit);
  context.audit.enqueue([auditMessage(application.id, audit)]);
  // An error here would make the caller retry, and create a second application.
  await publishPrincipalsOrDefer(context, [applicationEntryKey(application.id)]);
  return application;
}
