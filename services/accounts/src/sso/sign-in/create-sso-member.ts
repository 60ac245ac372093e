import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { changeAudited } from '@tollgate/store/audited-records';
import { created, roleEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import { becomeActive } from '../../invitations/accept-invitation.ts';
import { emailOfTooManyAccounts } from '../../members/email.ts';
import { type Member, newMember, type SsoLink } from '../../members/member.ts';
import type { MemberInTeam } from '../../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../../origin.ts';
import { type Invitation, openInvitations, roleIn, type Team, withMember } from '../../teams/team.ts';
import type { Identity } from '../provider/identity-providers.ts';
import type { SsoSettings } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';

/**
 * Creates the account of a person who signs in for the first time, without a password, in three writes: the account, as `joining`,
 * reserves the email and the identity; the team adds the member; the account becomes `active`. After a crash, the next sign-in
 * completes it. Throws `sso-failed`, `conflict`.
 */
export async function createSsoMember(
  context: Context,
  settings: SsoSettings,
  person: { identity: Identity; link: SsoLink; email: string; role: Role | null },
  origin: Origin,
): Promise<MemberInTeam> {
  const { identity, link, email, role } = person;
  const { team_id } = settings;
  const now = new Date(context.clock.now());
  const team = await context.teams.find(team_id);
  // Rejected before anything is stored.
  if (team) roleOfNewMember(settings, { role, invitation: invitationFor(team, email, now) });
  const account = { _id: newId('member'), team_id, email, name: nameOf(identity, email), password: null };
  const joining = newMember({ ...account, status: 'joining', is_installation_admin: false, sso: link }, now);
  if (await context.members.insert(joining))
    return joinTeam(context, settings, { member: joining, role }, origin);
  const concurrent = await context.members.findBySso(team_id, link);
  if (!concurrent) throw emailOfTooManyAccounts('Ask an owner of the team.');
  return joinTeam(context, settings, { member: concurrent, role }, origin);
}

/** Safe to repeat. Throws `sso-failed`, and `conflict` when the team is full. */
export async function joinTeam(
  context: Context,
  settings: SsoSettings,
  { member: joining, role }: { member: Member; role: Role | null },
  origin: Origin,
): Promise<MemberInTeam> {
  const author = provenAuthor(joining, origin);
  const joined = await changeAudited(
    context,
    context.teams,
    { _id: joining.team_id },
    (before, now) => {
      if (roleIn(before, joining._id)) return before;
      const invitation = invitationFor(before, joining.email, now);
      const membership = { member_id: joining._id, role: roleOfNewMember(settings, { role, invitation }) };
      return withMember(before, membership, invitation?.id ?? null, now);
    },
    (before, after) => {
      const invitation = invitationFor(before, joining.email, after.updated_at);
      const method = created('single_sign_on');
      const more = { method, ...(invitation && { invitation_id: created(invitation.id) }) };
      return roleEntry('member.joined', author, joining, more)(before, after);
    },
  ).catch(async (error: unknown) => {
    // After another error, the team may have added the member.
    if (error instanceof Problem) await context.members.deleteJoining(joining);
    throw error;
  });
  const member = await becomeActive(context, joining);
  return { member, role: roleIn(joined, member._id) as Role };
}

function invitationFor(team: Team, email: string | null, now: Date): Invitation | undefined {
  return openInvitations(team, now).find((invitation) => invitation.email === email);
}

/** The role of the claims, else that of the invitation, else the default. Throws `sso-failed` without any. */
function roleOfNewMember(
  { default_role }: SsoSettings,
  { role, invitation }: { role: Role | null; invitation: Invitation | undefined },
): Role {
  const decided = role ?? invitation?.role ?? default_role;
  if (decided !== null) return decided;
  throw ssoFailed(
    'not_invited',
    'You are not a member of the team yet. Ask an owner of the team for an invitation.',
  );
}

/** The name at the provider, or the first part of the email where that is no valid name. */
function nameOf({ name }: Identity, email: string): string {
  const fallback = email.slice(0, email.indexOf('@')).slice(0, ACCOUNT_LIMITS.name);
  try {
    return parseName((name ?? fallback).slice(0, ACCOUNT_LIMITS.name));
  } catch {
    return fallback;
  }
}
