import type { Actor } from '@tollgate/contracts/actor';
import { findActingTeam } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import { type Invitation, openInvitations } from '../teams/team.ts';

/** The team's open invitations. Every member may read. Throws `forbidden`. */
export async function listInvitations(context: Context, actor: Actor): Promise<Invitation[]> {
  const team = await findActingTeam(context, actor);
  return openInvitations(team, new Date(context.clock.now()));
}
