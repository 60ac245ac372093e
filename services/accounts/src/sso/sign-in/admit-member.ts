import { changeAudited } from '@tollgate/store/audited-records';
import { memberEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import { type Member, type SsoLink, withSsoLink } from '../../members/member.ts';
import type { MemberInTeam } from '../../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../../origin.ts';
import { roleIn } from '../../teams/team.ts';
import type { Identity } from '../provider/identity-providers.ts';
import type { SsoSettings } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';
import { applyRole } from './apply-role.ts';
import { roleOfClaims, verifiedEmail } from './claims.ts';
import { createSsoMember, joinTeam } from './create-sso-member.ts';

/**
 * The member of this identity: the linked one, else the one with its verified email, who is linked once, else a new one. Throws
 * `sso-failed`, and `conflict` when the team is full.
 */
export async function admitMember(
  context: Context,
  settings: SsoSettings,
  identity: Identity,
  origin: Origin,
): Promise<MemberInTeam> {
  const email = verifiedEmail(settings, identity);
  const role = roleOfClaims(settings, identity);
  const link = { issuer: identity.issuer, subject: identity.subject };
  const known = await findMember(context, settings.team_id, { link, email });
  if (known === null) return createSsoMember(context, settings, { identity, link, email, role }, origin);
  requireMayUseSso(known, link);
  if (known.status === 'joining') return joinTeam(context, settings, { member: known, role }, origin);
  const member = await linkOnce(context, known, { link, email }, origin);
  return applyRole(context, member, role, origin);
}

async function findMember(
  { members }: Context,
  teamId: string,
  { link, email }: { link: SsoLink; email: string },
): Promise<Member | null> {
  const linked = await members.findBySso(teamId, link);
  if (linked) return linked;
  const accounts = await members.listByEmail(email);
  const member = accounts.find((account) => account.team_id === teamId) ?? null;
  // A person who accepts an invitation at this moment has not proven the email.
  if (member?.status === 'joining')
    throw ssoFailed('account_not_ready', 'Your account is being created. Try again in a moment.');
  if (member === null && (await members.wasRemoved(teamId, link))) throw removedMember();
  return member;
}

function requireMayUseSso(member: Member, link: SsoLink): void {
  if (member.status === 'removed') throw removedMember();
  // Otherwise the owner of a team could take over the account that creates teams, without the setup token.
  if (member.is_installation_admin) {
    throw ssoFailed(
      'installation_admin',
      'Admins of the installation cannot use single sign-on. Sign in with your password.',
    );
  }
  // A provider gives the email of a former employee to a new one.
  if (member.sso && member.sso.issuer === link.issuer && member.sso.subject !== link.subject) {
    throw ssoFailed(
      'other_identity',
      'Another identity of the provider is linked to the member with your email address. An owner of the team must remove that member first.',
    );
  }
}

function removedMember() {
  return ssoFailed(
    'removed_member',
    'You were removed from the team. Ask an owner of the team for an invitation.',
  );
}

/** Later sign-ins find the member by the identity, whatever its email is then. */
async function linkOnce(
  context: Context,
  known: Member,
  { link, email }: { link: SsoLink; email: string },
  origin: Origin,
): Promise<Member> {
  const team = await context.teams.find(known.team_id);
  const keepsPassword = team !== null && roleIn(team, known._id) === 'owner';
  return changeAudited(
    context,
    context.members,
    { _id: known._id, team_id: known.team_id },
    (before, now) => {
      // The member may have changed since the search.
      requireMayUseSso(before, link);
      if (before.sso?.issuer === link.issuer && before.sso.subject === link.subject) return before;
      if (before.email !== email)
        throw ssoFailed('account_not_ready', 'Your account was changed during the sign-in. Try again.');
      return withSsoLink(before, link, { keepsPassword }, now);
    },
    memberEntry('member.sso_linked', provenAuthor(known, origin), (before, after) => ({
      issuer: { before: before.sso?.issuer ?? null, after: link.issuer },
      has_password: { before: before.password !== null, after: after.password !== null },
    })),
  );
}
