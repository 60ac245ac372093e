import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@tollgate/contracts/accounts/account';
import { hasSecondFactor, type Member } from '../members/member.ts';
import { encodeBase32 } from './base32.ts';

/** 80 bits: too many to search, even with a fast hash. */
const CODE_BYTES = 10;

/** Ten codes for the member to keep, as `ABCD-EFGH-IJKL-MNOP`, and their stored digests. */
export function newRecoveryCodes(memberId: string): { codes: string[]; digests: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = encodeBase32(randomBytes(CODE_BYTES));
    return (text.match(/.{4}/g) ?? []).join('-');
  });
  return { codes, digests: codes.map((code) => digestRecoveryCode(memberId, code)) };
}

/**
 * The codes with the first second factor of a member. A further factor keeps those that the member has stored: it returns no
 * codes, and the same digests.
 */
export function firstRecoveryCodes(member: Member): { codes: string[]; digests: readonly string[] } {
  return hasSecondFactor(member)
    ? { codes: [], digests: member.recoveryCodeDigests }
    : newRecoveryCodes(member.id);
}

/** SHA-256 of member and code, hex; dashes, spaces and case do not matter. */
export function digestRecoveryCode(memberId: string, code: string): string {
  const letters = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return createHash('sha256').update(`${memberId}:${letters}`).digest('hex');
}
