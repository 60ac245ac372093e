import type { Actor } from '@tollgate/contracts/accounts/actor';
import { applicationEntryKey } from '@tollgate/contracts/applications/principal';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireVersion } from '@tollgate/store/require-version';
import { applicationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';
import type { Application } from './application.ts';
import { findApplication } from './find-application.ts';

/** Losing this many races in a row would take more concurrent writers than a team has members. */
const MAX_ATTEMPTS = 5;

export interface ApplicationRef {
  applicationId: string;
  /** The version that the caller read; undefined accepts any version. */
  ifVersion: number | undefined;
}

export interface ApplicationChange {
  action: AuditAction;
  /** Throws `forbidden` when the actor may not make this change. */
  authorize: (application: Application) => Promise<void> | void;
  /** Returns the same object when nothing changes; then nothing is stored or audited. */
  apply: (application: Application, now: Date) => Application | Promise<Application>;
}

/**
 * Applies a change to an application: reads it, decides, stores the result with its audit entry, and notifies the gateways
 * before it returns. Repeats the decision when another write was first. Throws `not-found`, `forbidden`,
 * `precondition-failed`, `conflict`, `unavailable`.
 */
export async function changeApplication(
  context: Context,
  actor: Actor,
  { applicationId, ifVersion }: ApplicationRef,
  change: ApplicationChange,
): Promise<Application> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findApplication(context, actor.team_id, applicationId);
    await change.authorize(before);
    requireVersion(ifVersion, before.version, 'the application');
    const after = await change.apply(before, new Date(context.clock.now()));
    if (after !== before) {
      const audit = signAuditEntry(
        context.signer,
        applicationAuditEntry(change.action, actorAuthor(actor), before, after),
      );
      if (!(await context.applications.replace(before, after, audit))) continue;
      context.audit.enqueue([auditMessage(after.id, audit)]);
    }
    await publishPrincipals(context, [applicationEntryKey(after.id)]);
    return after;
  }
  throw new Problem(
    'conflict',
    'The application is being changed by other requests. Fetch it again, then retry.',
  );
}
