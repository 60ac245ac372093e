import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { withoutFactor } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { requireFactorLeft } from '../second-factor/require-factor-left.ts';
import { findPasskey } from './member-passkeys.ts';

/**
 * Throws `forbidden`, `not-found`, `invalid-request`, `too-many-attempts`, and `conflict` for the last second factor of a team
 * that requires one.
 */
export async function deletePasskey(
  context: Context,
  actor: MemberActor,
  { passkeyId, currentPassword }: { passkeyId: string; currentPassword: string },
): Promise<void> {
  const { member, team } = await findActingMember(context, actor);
  findPasskey(member, passkeyId);
  await requirePassword(context, actor, member, currentPassword);
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    const { name } = findPasskey(before, passkeyId);
    const passkeys = before.passkeys.filter(({ id }) => id !== passkeyId);
    const after = withoutFactor(before, { passkeys }, now);
    requireFactorLeft(team, after);
    const changes = { name: { before: name, after: null } };
    return { after, audit: [memberAuditEntry('member.passkey_removed', author, after, now, changes)] };
  });
}
