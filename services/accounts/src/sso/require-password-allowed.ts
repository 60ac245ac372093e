import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';

/** Throws `sso-required` when the team requires single sign-on of this member. */
export async function requirePasswordAllowed(
  context: Pick<Context, 'ssoSettings'>,
  member: MemberInTeam,
): Promise<void> {
  if (await isSsoRequired(context, member)) throw ssoRequired();
}

/**
 * Owners keep their passwords, so that a failing provider never locks the team out. So do admins of the installation, who cannot use
 * single sign-on.
 */
export async function isSsoRequired(
  { ssoSettings }: Pick<Context, 'ssoSettings'>,
  { member, role }: MemberInTeam,
): Promise<boolean> {
  if (role === 'owner' || member.is_installation_admin) return false;
  return (await ssoSettings.find(member.team_id)).is_required;
}

export function ssoRequired(): Problem {
  return new Problem(
    'sso-required',
    'The team requires single sign-on. Only owners and admins of the installation can use a password or a passkey.',
  );
}
