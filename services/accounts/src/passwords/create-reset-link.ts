import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { createResetLink as contract } from '@tollgate/contracts/accounts/rpc';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { alreadyCreated, createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { isSetupToken } from '../installation/setup-token.ts';
import { findOtherMember } from '../members/find-other-member.ts';
import { changedMember, type ResetLink } from '../members/member.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { roleIn } from '../teams/team.ts';
import { newResetLink } from './reset-link.ts';

interface CreatedResetLink {
  link: ResetLink;
  /** Null in a replay. */
  token: string | null;
}

/**
 * Creates the link with which another member of the team sets a new password; an earlier link stops working. The second
 * factor stays. For an admin of the installation, the operator's token is required. Throws `forbidden`,
 * `reauthentication-required`, `not-found`, `sso-required`, `too-many-attempts`.
 */
export async function createResetLink(
  context: Context,
  actor: MemberActor,
  { member_id, setup_token }: Static<typeof contract.request>,
  call: IdempotentCall | null,
): Promise<CreatedResetLink> {
  const { team } = await findActingMember(context, actor);
  const member = await findOtherMember(context, team, member_id);
  requireRole(team, actor, 'owner', 'reset passwords of members');
  // Otherwise an owner's unattended session would suffice to set a password without the current one.
  if (member_id === actor.member_id) {
    throw new Problem(
      'forbidden',
      'You cannot create a reset link for yourself. Change your password, or ask another owner for a link.',
    );
  }
  requireRecentAuthentication(actor, context.clock.now(), 'reset the password of a member');
  const role = roleIn(team, member_id);
  if (role) await requirePasswordAllowed(context, { member, role });
  if (member.is_installation_admin) await requireSetupToken(context, actor, setup_token);

  return createOnce<CreatedResetLink>(context, actor, call, {
    newId: () => newId('resetLink'),
    idOf: ({ link }) => link.id,
    async find(id) {
      const link = (await context.members.find(team._id, member_id))?.reset_link;
      return link?.id === id ? { link, token: null } : null;
    },
    async create(reserveId) {
      const id = await reserveId();
      const created = newResetLink({ id, removes_totp: false, mail_id: null }, context.clock.now());
      await changeAudited(
        context,
        context.members,
        { _id: member_id, team_id: team._id },
        (before, now) => {
          // A concurrent request with the same idempotency key: replacing its link would invalidate it.
          if (before.reset_link?.id === id) throw alreadyCreated();
          return changedMember(before, { reset_link: created.link }, now);
        },
        memberEntry('member.reset_link_created', actorAuthor(actor)),
      );
      return created;
    },
  });
}

/** Otherwise an owner of the team could take over the account that creates teams. Guesses are throttled. */
async function requireSetupToken(
  context: Context,
  actor: MemberActor,
  given: string | undefined,
): Promise<void> {
  if (given !== undefined) {
    const attempt = await context.throttle.begin({ kind: 'setup-token', name: actor.member_id });
    if (isSetupToken(context.setupToken, given)) return attempt.succeeded();
  }
  throw new Problem(
    'forbidden',
    given === undefined
      ? 'This member is an admin of the installation. Repeat the request with the SETUP_TOKEN of the installation. If the operator removed it, they set it for the accounts service and restart the service first.'
      : 'The setup token does not match SETUP_TOKEN of this installation. If the operator removed it, they set it for the accounts service and restart the service first.',
  );
}
