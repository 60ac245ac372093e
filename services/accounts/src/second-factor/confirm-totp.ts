import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember, type Member, type PendingTotp } from '../members/member.ts';
import { firstRecoveryCodes } from './recovery-codes.ts';
import { requireNoTotp } from './start-totp.ts';
import { acceptedTotpStep } from './totp.ts';

/**
 * Second step: a code proves that the app has the secret. From here on signing in requires a code; this one cannot be
 * used again. Returns the recovery codes once if this is the first second factor, else none. Throws `forbidden`, `conflict`, `invalid-request`, `too-many-attempts`.
 */
export async function confirmTotp(
  context: Context,
  actor: MemberActor,
  request: { totp: string },
): Promise<string[]> {
  const { member } = await findActingMember(context, actor);
  const nowMs = context.clock.now();
  const { secret } = openEnrollment(member, nowMs);
  const lastStep = await requireCode(context, member, secret, request.totp);
  const author = actorAuthor(actor);
  let codes: string[] = [];
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    if (openEnrollment(before, nowMs).secret !== secret) throw notStarted();
    const recovery = firstRecoveryCodes(before);
    codes = recovery.codes;
    const change = { totp: { secret, lastStep }, pendingTotp: null, recoveryCodeDigests: recovery.digests };
    const after = changedMember(before, change, now);
    return { after, audit: [memberAuditEntry('member.totp_enabled', author, after, now)] };
  });
  return codes;
}

function openEnrollment(member: Member, nowMs: number): PendingTotp {
  requireNoTotp(member);
  const { pendingTotp } = member;
  if (pendingTotp === null || pendingTotp.expiresAt.getTime() <= nowMs) throw notStarted();
  return pendingTotp;
}

/** The time step of the code. Guesses are throttled: they would otherwise confirm an app that the member does not have. */
async function requireCode(context: Context, member: Member, secret: string, code: string): Promise<number> {
  const attempt = await context.throttle.begin({ kind: 'totp-enrollment', name: member.id });
  const plain = context.encryption.decrypt(secret, member.id);
  const step = acceptedTotpStep(plain, code, { nowMs: context.clock.now(), lastStep: 0 });
  if (step === null) throw wrongCode();
  await attempt.succeeded();
  return step;
}

function notStarted(): Problem {
  return new Problem(
    'conflict',
    'No setup of the second factor is open: it was not started, was restarted, or expired after 15 minutes. Start it again.',
  );
}

function wrongCode(): Problem {
  return new Problem(
    'invalid-request',
    'The code is incorrect. Check that the clock of your device is correct.',
    {
      errors: [{ pointer: '/totp', code: 'invalid', detail: 'This is not the current code.' }],
    },
  );
}
