import type { resetOwner as contract } from '@tollgate/contracts/accounts/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import type { ActingMember } from '../access/acting-member.ts';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { normalizeEmail } from '../members/email.ts';
import { listAccounts } from '../members/list-accounts.ts';
import { changedMember, type ResetLink } from '../members/member.ts';
import { OPERATOR_AUTHOR } from '../origin.ts';
import { newResetLink } from './reset-link.ts';

/**
 * Creates a reset link for an owner who cannot sign in, on behalf of the operator; an earlier link stops working. It needs no
 * session and no other owner, so that a team is never locked out. The audit record names the operator. Throws `not-found`,
 * `conflict`.
 */
export async function resetOwner(
  context: Context,
  { email, team_id, removes_totp }: Static<typeof contract.request>,
): Promise<ActingMember & { token: string; link: ResetLink }> {
  const accounts = await listAccounts(context, normalizeEmail(email));
  const owner = onlyOne(
    accounts.filter(({ team, role }) => role === 'owner' && (team_id === null || team._id === team_id)),
    email,
  );
  const fields = { id: newId('resetLink'), removes_totp, mail_id: null };
  const { token, link } = newResetLink(fields, context.clock.now());
  const member = await changeAudited(
    context,
    context.members,
    { _id: owner.member._id, team_id: owner.team._id },
    (before, now) => changedMember(before, { reset_link: link }, now),
    memberEntry('member.reset_link_created', OPERATOR_AUTHOR),
  );
  return { ...owner, member, token, link };
}

function onlyOne(owners: ActingMember[], email: string): ActingMember {
  const [owner, ...others] = owners;
  if (!owner) throw new Problem('not-found', `No owner of a team has the email ${JSON.stringify(email)}.`);
  if (others.length === 0) return owner;
  const teams = owners.map(({ team }) => `${team._id} (${team.name})`).join(', ');
  throw new Problem('conflict', `Owners of several teams have this email. Name the team: ${teams}.`);
}
