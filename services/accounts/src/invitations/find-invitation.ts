import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { digestToken } from '../opaque-token.ts';
import { type Invitation, openInvitations, type Team } from '../teams/team.ts';

/**
 * The open invitation of this token, and its team. Throws `not-found` for an accepted, revoked, replaced, expired, or
 * unknown one.
 */
export async function findInvitation(
  context: Context,
  token: string,
): Promise<{ team: Team; invitation: Invitation }> {
  const digest = digestToken(token);
  const team = await context.teams.findByInvitationToken(digest);
  const invitation = team && openInvitation(team, digest, new Date(context.clock.now()));
  if (!team || !invitation) throw invitationNotFound();
  return { team, invitation };
}

export function openInvitation(team: Team, digest: string, now: Date): Invitation | undefined {
  return openInvitations(team, now).find(({ token_digest }) => token_digest === digest);
}

export function invitationNotFound(): Problem {
  return new Problem(
    'not-found',
    'The link is not valid: it was used, revoked, or replaced, or has expired. Ask an owner of the team for a new one.',
  );
}
