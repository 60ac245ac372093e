import type { Actor, TokenActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import { type ApiToken, statusOf } from '../tokens/api-token.ts';
import { memberAllows } from '../tokens/member-allows.ts';
import { findActingMember } from './acting-member.ts';

/** An API token with its team, as stored now. */
export interface TokenInTeam {
  token: ApiToken;
  team: Team;
}

/**
 * The actor's team. Throws `forbidden` when the member is no longer in the team, or the API token is no longer active: an
 * actor token may be a minute old.
 */
export async function findActingTeam(context: Context, actor: Actor): Promise<Team> {
  if (actor.type === 'member') return (await findActingMember(context, actor)).team;
  return (await findActingToken(context, actor)).team;
}

/**
 * The actor's team. Throws `forbidden`, and `not-found` for the id of any other team, so that callers cannot learn
 * which teams exist.
 */
export async function findOwnTeam(context: Context, actor: Actor, teamId: string): Promise<Team> {
  const team = await findActingTeam(context, actor);
  if (team._id === teamId) return team;
  throw new Problem('not-found', `You are not a member of team ${teamId}.`);
}

/** Throws `forbidden` when the API token is no longer active. */
export async function findActingToken(context: Context, actor: TokenActor): Promise<TokenInTeam> {
  const [team, token] = await Promise.all([
    context.teams.find(actor.team_id),
    context.tokens.find(actor.team_id, actor.token_id),
  ]);
  const now = new Date(context.clock.now());
  const member = token?.acts_for ? await context.members.find(actor.team_id, token.acts_for) : null;
  if (!team || !token || statusOf(token, now) !== 'active' || !memberAllows(team, member, token))
    throw tokenNotActive();
  return { team, token };
}

export function tokenNotActive(): Problem {
  return new Problem('forbidden', 'The API token is no longer active.');
}
