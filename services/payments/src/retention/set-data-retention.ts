import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { setDataRetention as contract } from '@tollgate/contracts/payments/rpc';
import { requireAllEnvironments } from '@tollgate/security/require-environment';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { auditEntry, ofTeam } from '../audit/audit-entry.ts';
import type { Context } from '../context.ts';
import { isShorter } from './data-retention.ts';

const ACTION = 'change the retention period';

/**
 * Sets how long the team keeps the personal data of payments. The same period again changes nothing. A shorter one erases data at once.
 *
 * @throws Problem `forbidden`, `precondition-failed`, `reauthentication-required`, `conflict`
 */
export async function setDataRetention(
  context: Context,
  actor: Actor,
  { days, if_version }: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  requireRole(actor, 'admin', ACTION);
  requireAllEnvironments(actor, ACTION);
  const { team_id } = actor;
  const changed = await changeAudited(
    context,
    context.retention,
    { _id: team_id, team_id },
    (before, now) => {
      requireVersion(if_version, before.version, 'the retention period');
      if (days === before.days) return before;
      if (isShorter(days, before.days))
        requireRecentAuthentication(actor, now.getTime(), 'shorten the retention period');
      return { ...before, days, version: before.version + 1, updated_at: now };
    },
    (before, after) =>
      auditEntry('team.data_retention_changed', actorAuthor(actor), after.updated_at, {
        ...ofTeam(team_id),
        environment: null,
        changes: { data_retention_days: { before: before.days, after: after.days } },
      }),
  );
  return { days: changed.days, version: changed.version };
}
