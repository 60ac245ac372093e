import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { memberAuditEntry } from '../audit-entry.ts';
import { changedMember, type Member } from '../members/member.ts';
import type { SecretEncryption } from '../secret-encryption.ts';
import { digestRecoveryCode } from './recovery-codes.ts';
import { acceptedTotpStep } from './totp.ts';

/** The code that the person gave besides the password. */
export interface GivenCode {
  totp: string | null;
  recoveryCode: string | null;
}

/**
 * The account with the code consumed, and its audit entries; null when the code is incorrect. The caller must store it
 * only over the version that was read, so that of two requests with one code only one is accepted.
 */
export function withUsedCode(
  member: Member,
  factor: GivenCode,
  { encryption, now, author }: { encryption: SecretEncryption; now: Date; author: AuditAuthor },
): { after: Member; audit: AuditEntry[] } | null {
  const { totp, recoveryCodeDigests } = member;
  if (factor.totp !== null) {
    if (totp === null) return null;
    const secret = encryption.decrypt(totp.secret, member.id);
    const step = acceptedTotpStep(secret, factor.totp, { nowMs: now.getTime(), lastStep: totp.lastStep });
    if (step === null) return null;
    return { after: changedMember(member, { totp: { ...totp, lastStep: step } }, now), audit: [] };
  }
  if (factor.recoveryCode === null) return null;
  const used = digestRecoveryCode(member.id, factor.recoveryCode);
  const left = recoveryCodeDigests.filter((digest) => digest !== used);
  if (left.length === recoveryCodeDigests.length) return null;
  const audit = memberAuditEntry('member.recovery_code_used', author, member, now, {
    recovery_codes_left: { before: recoveryCodeDigests.length, after: left.length },
  });
  return { after: changedMember(member, { recoveryCodeDigests: left }, now), audit: [audit] };
}
