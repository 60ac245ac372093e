import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { normalizeEmail } from '../members/email.ts';
import { type Account, listAccounts } from '../members/list-accounts.ts';
import type { Member, ResetLink } from '../members/member.ts';
import { OPERATOR_AUTHOR } from '../origin.ts';
import type { Team } from '../teams/team.ts';
import { newResetLink, withResetLink } from './new-reset-link.ts';

/**
 * Creates a reset link for an owner who cannot sign in, on behalf of the operator; an earlier link stops working. It needs no
 * session and no other owner, so that a team is never locked out. The audit record names the operator. Throws `not-found`,
 * `conflict`.
 */
export async function resetOwner(
  context: Context,
  { email, teamId, removesTotp }: { email: string; teamId: string | null; removesTotp: boolean },
): Promise<{ team: Team; member: Member; token: string; link: ResetLink }> {
  const owner = onlyOwner(await listOwners(context, email, teamId), email);
  const fields = { id: newId('resetLink'), removesTotp, mailId: null };
  const { token, link } = newResetLink(fields, context.clock.now());
  const address = { teamId: owner.team.id, memberId: owner.member.id };
  const member = await changeMember(context, address, (before, now) =>
    withResetLink(before, link, OPERATOR_AUTHOR, now),
  );
  return { team: owner.team, member, token, link };
}

async function listOwners(context: Context, email: string, teamId: string | null): Promise<Account[]> {
  const accounts = await listAccounts(context, normalizeEmail(email));
  return accounts.filter(({ team, role }) => role === 'owner' && (teamId === null || team.id === teamId));
}

function onlyOwner(owners: Account[], email: string): Account {
  const [owner, ...others] = owners;
  if (!owner) throw new Problem('not-found', `No owner of a team has the email ${JSON.stringify(email)}.`);
  if (others.length === 0) return owner;
  const teams = owners.map(({ team }) => `${team.id} (${team.name})`).join(', ');
  throw new Problem('conflict', `Owners of several teams have this email. Name the team: ${teams}.`);
}
