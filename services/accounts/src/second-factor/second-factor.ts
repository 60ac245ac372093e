import type { AuditEntry } from '@tollgate/contracts/audit';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { memberAuditEntry } from '../audit-entry.ts';
import { changedMember, type Member } from '../members/member.ts';
import type { SecretEncryption } from '../secret-encryption.ts';
import { digestRecoveryCode } from './recovery-codes.ts';
import { acceptedTotpStep } from './totp.ts';

/** The second factor that the person gave besides the password. */
export interface SecondFactor {
  totp: string | null;
  recoveryCode: string | null;
}

/**
 * The account with the code consumed, and its audit entries; null when the code is incorrect. The caller must store it
 * only over the version that was read, so that of two requests with one code only one is accepted.
 */
export function withUsedCode(
  member: Member,
  factor: SecondFactor,
  { encryption, now, author }: { encryption: SecretEncryption; now: Date; author: AuditAuthor },
): { after: Member; audit: AuditEntry[] } | null {
  const { totp } = member;
  if (totp === null) return null;
  if (factor.totp !== null) {
    const secret = encryption.decrypt(totp.secret, member.id);
    const step = acceptedTotpStep(secret, factor.totp, { nowMs: now.getTime(), lastStep: totp.lastStep });
    if (step === null) return null;
    return { after: changedMember(member, { totp: { ...totp, lastStep: step } }, now), audit: [] };
  }
  if (factor.recoveryCode === null) return null;
  const used = digestRecoveryCode(member.id, factor.recoveryCode);
  const recoveryCodeDigests = totp.recoveryCodeDigests.filter((digest) => digest !== used);
  if (recoveryCodeDigests.length === totp.recoveryCodeDigests.length) return null;
  const audit = memberAuditEntry('member.recovery_code_used', author, member, now, {
    recovery_codes_left: { before: totp.recoveryCodeDigests.length, after: recoveryCodeDigests.length },
  });
  return { after: changedMember(member, { totp: { ...totp, recoveryCodeDigests } }, now), audit: [audit] };
}
