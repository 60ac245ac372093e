import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { teamEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Team } from './team.ts';

/** Changes the team of the actor, with an audit entry. Throws `not-found`, `conflict`, and whatever `decide` throws. */
export function changeOwnTeam(
  context: Context,
  actor: Actor,
  action: AuditAction,
  decide: (before: Team, now: Date) => Team,
  changesOf?: (before: Team, after: Team) => AuditEntry['changes'],
): Promise<Team> {
  const entry = teamEntry(action, actorAuthor(actor), changesOf);
  return changeAudited(context, context.teams, { _id: actor.team_id }, decide, entry);
}
