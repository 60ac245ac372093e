import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { alreadyCreated, createOnce } from '@tollgate/store/create-once';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { isSetupToken } from '../installation/setup-token.ts';
import { changeMember } from '../members/change-member.ts';
import { findOtherMember } from '../members/find-other-member.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { roleIn } from '../teams/team.ts';
import { newResetLink, withResetLink } from './new-reset-link.ts';

interface CreatedResetLink {
  id: string;
  /** Null in a replay. */
  token: string | null;
  expiresAt: Date;
}

/**
 * Creates the link with which another member of the team sets a new password; an earlier link stops working. The second
 * factor stays. For an admin of the installation, the operator's token is required. Throws `forbidden`,
 * `reauthentication-required`, `not-found`, `sso-required`, `too-many-attempts`.
 */
export async function createResetLink(
  context: Context,
  actor: MemberActor,
  { memberId, setupToken }: { memberId: string; setupToken: string | null },
  call: IdempotentCall | null,
): Promise<CreatedResetLink> {
  const { team } = await findActingMember(context, actor);
  const member = await findOtherMember(context, team, memberId);
  requireRole(team, actor, 'owner', 'reset passwords of members');
  // Otherwise an owner's unattended session would suffice to set a password without the current one.
  if (memberId === actor.member_id) {
    throw new Problem(
      'forbidden',
      'You cannot create a reset link for yourself. Change your password, or ask another owner for a link.',
    );
  }
  requireRecentAuthentication(actor, context.clock.now(), 'reset the password of a member');
  const role = roleIn(team, memberId);
  if (role) await requirePasswordAllowed(context, { member, role });
  if (member.isInstallationAdmin) await requireSetupToken(context, actor, setupToken);
  return createOnce(context, actor, call, {
    newId: () => newId('resetLink'),
    idOf: ({ id }) => id,
    async find(id) {
      const link = (await context.members.find(team.id, memberId))?.resetLink;
      return link?.id === id ? { id, token: null, expiresAt: link.expiresAt } : null;
    },
    create: async (reserveId) => replaceResetLink(context, actor, memberId, await reserveId()),
  });
}

/** Otherwise an owner of the team could take over the account that creates teams. Guesses are throttled. */
async function requireSetupToken(context: Context, actor: MemberActor, given: string | null): Promise<void> {
  if (given !== null) {
    const attempt = await context.throttle.begin({ kind: 'setup-token', name: actor.member_id });
    if (isSetupToken(context.setupToken, given)) return attempt.succeeded();
  }
  throw new Problem(
    'forbidden',
    given === null
      ? 'This member is an admin of the installation. Repeat the request with the SETUP_TOKEN of the installation. If the operator removed it, they set it for the accounts service and restart the service first.'
      : 'The setup token does not match SETUP_TOKEN of this installation. If the operator removed it, they set it for the accounts service and restart the service first.',
  );
}

async function replaceResetLink(
  context: Context,
  actor: MemberActor,
  memberId: string,
  id: string,
): Promise<CreatedResetLink> {
  const { token, link } = newResetLink({ id, removesTotp: false, mailId: null }, context.clock.now());
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: actor.team_id, memberId }, (before, now) => {
    // A concurrent request with the same idempotency key: replacing its link would invalidate it.
    if (before.resetLink?.id === id) throw alreadyCreated();
    return withResetLink(before, link, author, now);
  });
  return { id, token, expiresAt: link.expiresAt };
}
