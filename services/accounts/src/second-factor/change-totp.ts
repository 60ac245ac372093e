import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { changeAudited } from '@tollgate/store/audited-records';
import { findActingMember, ownAccount } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeOwnAccount } from '../members/change-own-account.ts';
import { changedMember, type Member, type PendingTotp, withoutFactor } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { encodeBase32 } from './base32.ts';
import { firstRecoveryCodes } from './recovery-codes.ts';
import { requireFactorLeft } from './second-factor.ts';
import { acceptedTotpStep, newTotpSecret, totpUri } from './totp.ts';

/** Enough to install an authenticator app. A secret that was shown once, and forgotten, must not be confirmed later. */
const ENROLLMENT_MS = 15 * MINUTE_MS;

/**
 * First step of the enrollment: returns a secret for the authenticator app, to be confirmed within 15 minutes. Signing in
 * works without it until `confirmTotp`. A second start replaces the first. Throws `forbidden`, `conflict`, `invalid-request`,
 * `too-many-attempts`.
 */
export async function startTotp(
  context: Context,
  actor: MemberActor,
  { current_password }: { current_password: string },
): Promise<{ secret: string; uri: string }> {
  const { member } = await findActingMember(context, actor);
  requireNoTotp(member);
  await requirePassword(context, actor, member, current_password);
  const plain = newTotpSecret();
  const secret = context.encryption.encrypt(plain, member._id);
  await changeAudited(
    context,
    context.members,
    ownAccount(actor),
    (before, now) => {
      requireNoTotp(before);
      const expires_at = new Date(now.getTime() + ENROLLMENT_MS);
      return changedMember(before, { pending_totp: { secret, expires_at } }, now);
    },
    // Nothing that protects or opens the account has changed yet, so there is nothing to audit.
    () => [],
  );
  return { secret: encodeBase32(plain), uri: totpUri(plain, member.email ?? member._id) };
}

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
  const last_step = await requireCode(context, member, secret, request.totp);
  let codes: string[] = [];
  await changeOwnAccount(context, actor, 'member.totp_enabled', (before, now) => {
    if (openEnrollment(before, nowMs).secret !== secret) throw notStarted();
    const recovery = firstRecoveryCodes(before);
    codes = recovery.codes;
    const change = { totp: { secret, last_step }, pending_totp: null };
    return changedMember(before, { ...change, recovery_code_digests: recovery.digests }, now);
  });
  return codes;
}

/**
 * Removes the authenticator app; does nothing when there is none. Throws `forbidden`, `invalid-request`,
 * `too-many-attempts`, and `conflict` for the last second factor of a team that requires one.
 */
export async function disableTotp(
  context: Context,
  actor: MemberActor,
  { current_password }: { current_password: string },
): Promise<void> {
  const { member, team } = await findActingMember(context, actor);
  await requirePassword(context, actor, member, current_password);
  await changeOwnAccount(context, actor, 'member.totp_disabled', (before, now) =>
    before.totp === null
      ? before
      : requireFactorLeft(team, withoutFactor(before, { totp: null, pending_totp: null }, now)),
  );
}

function requireNoTotp(member: Member): void {
  if (member.totp === null) return;
  throw new Problem('conflict', 'You already have an authenticator app. Remove it first.');
}

function openEnrollment(member: Member, nowMs: number): PendingTotp {
  requireNoTotp(member);
  const { pending_totp } = member;
  if (pending_totp === null || pending_totp.expires_at.getTime() <= nowMs) throw notStarted();
  return pending_totp;
}

/** The time step of the code. Guesses are throttled: they would otherwise confirm an app that the member does not have. */
async function requireCode(context: Context, member: Member, secret: string, code: string): Promise<number> {
  const attempt = await context.throttle.begin({ kind: 'totp-enrollment', name: member._id });
  const plain = context.encryption.decrypt(secret, member._id);
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
    { errors: [{ pointer: '/totp', code: 'invalid', detail: 'This is not the current code.' }] },
  );
}
