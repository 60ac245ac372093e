import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { renameTeam as contract } from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { requireAllEnvironments } from '@tollgate/security/require-environment';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { findOwnTeam } from '../access/find-own-team.ts';
import { requireRole } from '../access/permissions.ts';
import { teamEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { renamed, type Team } from './team.ts';

/** Throws `forbidden`, `not-found`, `precondition-failed`, `invalid-request`. */
export async function renameTeam(
  context: Context,
  actor: Actor,
  { team_id, name, if_version }: Static<typeof contract.request>,
): Promise<Team> {
  const { _id } = await findOwnTeam(context, actor, team_id);
  return changeAudited(
    context,
    context.teams,
    { _id },
    (before, now) => {
      requireRole(before, actor, 'admin', 'rename the team');
      requireAllEnvironments(actor, 'rename the team');
      requireVersion(if_version, before.version, 'the team');
      return renamed(before, parseName(name), now);
    },
    teamEntry('team.renamed', actorAuthor(actor), (before, after) =>
      auditChanges({ name: before.name }, { name: after.name }),
    ),
  );
}
