import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import { findActingTeam } from './acting-team.ts';

/**
 * The actor's team. Throws `forbidden`, and `not-found` for the id of any other team, so that callers cannot learn
 * which teams exist.
 */
export async function findOwnTeam(context: Context, actor: Actor, teamId: string): Promise<Team> {
  const team = await findActingTeam(context, actor);
  if (team._id === teamId) return team;
  throw new Problem('not-found', `You are not a member of team ${teamId}.`);
}
