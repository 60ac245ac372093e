import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@tollgate/contracts/accounts/account';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeOwnAccount } from '../members/change-own-account.ts';
import { changedMember, hasSecondFactor, type Member } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { encodeBase32 } from './base32.ts';

/** 80 bits: too many to search, even with a fast hash. */
const CODE_BYTES = 10;

/** New recovery codes, returned once; the old ones stop working. Throws `forbidden`, `conflict`, `invalid-request`. */
export async function replaceRecoveryCodes(
  context: Context,
  actor: MemberActor,
  { current_password }: { current_password: string },
): Promise<string[]> {
  const { member } = await findActingMember(context, actor);
  await requirePassword(context, actor, member, current_password);
  const { codes, digests } = newRecoveryCodes(member._id);
  await changeOwnAccount(context, actor, 'member.recovery_codes_replaced', (before, now) => {
    if (!hasSecondFactor(before))
      throw new Problem(
        'conflict',
        'You have no second factor. Add a passkey or an authenticator app first.',
      );
    return changedMember(before, { recovery_code_digests: digests }, now);
  });
  return codes;
}

/**
 * The codes with the first second factor of a member. A further factor keeps those that the member has stored: it returns no
 * codes, and the same digests.
 */
export function firstRecoveryCodes(member: Member): { codes: string[]; digests: string[] } {
  return hasSecondFactor(member)
    ? { codes: [], digests: member.recovery_code_digests }
    : newRecoveryCodes(member._id);
}

/** Ten codes for the member to keep, as `ABCD-EFGH-IJKL-MNOP`, and their stored digests. */
function newRecoveryCodes(memberId: string): { codes: string[]; digests: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = encodeBase32(randomBytes(CODE_BYTES));
    return (text.match(/.{4}/g) ?? []).join('-');
  });
  return { codes, digests: codes.map((code) => digestRecoveryCode(memberId, code)) };
}

/** SHA-256 of member and code, hex; dashes, spaces and case do not matter. */
export function digestRecoveryCode(memberId: string, code: string): string {
  const letters = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return createHash('sha256').update(`${memberId}:${letters}`).digest('hex');
}
