import type { Actor } from '@tollgate/contracts/accounts/actor';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { requireAllEnvironments } from '@tollgate/security/require-environment';
import { actorAuthor } from '@tollgate/store/audit-author';
import { requireVersion } from '@tollgate/store/require-version';
import { findOwnTeam } from '../access/find-own-team.ts';
import { requireRole } from '../access/permissions.ts';
import { teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from './change-team.ts';
import { renamed, type Team } from './team.ts';

export interface RenameTeamRequest {
  teamId: string;
  name: string;
  /** The version that the caller read; undefined accepts any version. */
  ifVersion: number | undefined;
}

/** Throws `forbidden`, `not-found`, `precondition-failed`, `invalid-request`. */
export async function renameTeam(
  context: Context,
  actor: Actor,
  { teamId, name, ifVersion }: RenameTeamRequest,
): Promise<Team> {
  const { id } = await findOwnTeam(context, actor, teamId);
  const author = actorAuthor(actor);
  return changeTeam(context, id, (before, now) => {
    requireRole(before, actor, 'admin', 'rename the team');
    requireAllEnvironments(actor, 'rename the team');
    requireVersion(ifVersion, before.version, 'the team');
    const after = renamed(before, parseName(name), now);
    const changes = { name: { before: before.name, after: after.name } };
    return { after, audit: [teamAuditEntry('team.renamed', author, after, changes)] };
  });
}
