import { Problem } from '@tollgate/contracts/platform/problem';
import { type Invitation, openInvitations, type Team } from '../teams/team.ts';

/** Throws `not-found`. */
export function requireOpenInvitation(team: Team, invitationId: string, now: Date): Invitation {
  const invitation = openInvitations(team, now).find(({ id }) => id === invitationId);
  if (!invitation) throw new Problem('not-found', `Your team has no open invitation ${invitationId}.`);
  return invitation;
}
