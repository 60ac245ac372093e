import type { Actor } from '@tollgate/contracts/accounts/actor';
import { findActingTeam } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import type { OutgoingProgress } from '../outbox/outbox-store.ts';
import { type Invitation, openInvitations, roleIn } from '../teams/team.ts';

/** An open invitation, with how its mail went; null without a mail, and for actors who cannot invite. */
export interface ListedInvitation {
  invitation: Invitation;
  mail: OutgoingProgress | null;
}

/** The team's open invitations. Every member may read. Throws `forbidden`. */
export async function listInvitations(context: Context, actor: Actor): Promise<ListedInvitation[]> {
  const team = await findActingTeam(context, actor);
  const open = openInvitations(team, new Date(context.clock.now()));
  const ids = open.map(({ id }) => id);
  // What a mail server says of an address is for those who wrote to it.
  const mayInvite = actor.type === 'member' && roleIn(team, actor.member_id) === 'owner';
  const mails =
    mayInvite && ids.length > 0 ? await context.mails.findOfInvitations(team._id, ids) : new Map();
  return open.map((invitation) => ({ invitation, mail: mails.get(invitation.id) ?? null }));
}
