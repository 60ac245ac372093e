import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changedMember, hasSecondFactor, type Member } from '../members/member.ts';
import type { Team } from '../teams/team.ts';
import { digestRecoveryCode } from './recovery-codes.ts';
import { acceptedTotpStep } from './totp.ts';

/** The code that the person gave besides the password. */
interface GivenCode {
  totp?: string;
  recovery_code?: string;
}

/** The account with the code consumed; null when the code is incorrect, or a concurrent request changed the account. */
export async function useCode(
  context: Context,
  member: Member,
  { totp: code, recovery_code }: GivenCode,
  author: AuditAuthor,
): Promise<Member | null> {
  const { totp, recovery_code_digests: digests } = member;
  const nowMs = context.clock.now();
  if (code !== undefined) {
    if (totp === null) return null;
    const secret = context.encryption.decrypt(totp.secret, member._id);
    const step = acceptedTotpStep(secret, code, { nowMs, lastStep: totp.last_step });
    return step === null ? null : recordUse(context, member, { totp: { ...totp, last_step: step } });
  }
  if (recovery_code === undefined) return null;
  const used = digestRecoveryCode(member._id, recovery_code);
  const left = digests.filter((digest) => digest !== used);
  if (left.length === digests.length) return null;
  const changes = { recovery_codes_left: { before: digests.length, after: left.length } };
  const entry = memberAuditEntry('member.recovery_code_used', author, member, new Date(nowMs), changes);
  return recordUse(context, member, { recovery_code_digests: left }, entry);
}

/**
 * The account with the use of a factor recorded. Only over the version that was read: of two requests with one code, one is accepted.
 * Null for the other.
 */
export async function recordUse(
  context: Context,
  member: Member,
  change: Partial<Member>,
  entry: AuditEntry | AuditEntry[] = [],
): Promise<Member | null> {
  const after = changedMember(member, change, new Date(context.clock.now()));
  const { _id, team_id, version } = member;
  const set = { ...change, version: after.version, updated_at: after.updated_at };
  const isStored = await recordAudited(context, context.members, { _id, team_id, version }, entry, set);
  return isStored ? after : null;
}

/** Returns the changed account. Throws `conflict` when a team that requires a second factor would have a member without one. */
export function requireFactorLeft(team: Team, after: Member): Member {
  if (team.second_factor_required_from === null || hasSecondFactor(after)) return after;
  throw new Problem(
    'conflict',
    'Your team requires a second factor, and this is your last one. Add another one first.',
  );
}
