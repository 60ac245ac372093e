import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember, hasSecondFactor } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/** New recovery codes, returned once; the old ones stop working. Throws `forbidden`, `conflict`, `invalid-request`. */
export async function replaceRecoveryCodes(
  context: Context,
  actor: MemberActor,
  request: { currentPassword: string },
): Promise<string[]> {
  const { member } = await findActingMember(context, actor);
  await requirePassword(context, actor, member, request.currentPassword);
  const { codes, digests } = newRecoveryCodes(member.id);
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    if (!hasSecondFactor(before))
      throw new Problem(
        'conflict',
        'You have no second factor. Add a passkey or an authenticator app first.',
      );
    const after = changedMember(before, { recoveryCodeDigests: digests }, now);
    return { after, audit: [memberAuditEntry('member.recovery_codes_replaced', author, after, now)] };
  });
  return codes;
}
