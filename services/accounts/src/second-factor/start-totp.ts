import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember, type Member } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { encodeBase32 } from './base32.ts';
import { newTotpSecret, totpUri } from './totp.ts';

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
  request: { currentPassword: string },
): Promise<{ secret: string; uri: string }> {
  const { member } = await findActingMember(context, actor);
  requireNoTotp(member);
  await requirePassword(context, actor, member, request.currentPassword);
  const secret = newTotpSecret();
  const encrypted = context.encryption.encrypt(secret, member.id);
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    requireNoTotp(before);
    // Nothing that protects or opens the account has changed yet, so there is nothing to audit.
    const pendingTotp = { secret: encrypted, expiresAt: new Date(now.getTime() + ENROLLMENT_MS) };
    return { after: changedMember(before, { pendingTotp }, now), audit: [] };
  });
  return { secret: encodeBase32(secret), uri: totpUri(secret, member.email ?? member.id) };
}

export function requireNoTotp(member: Member): void {
  if (member.totp === null) return;
  throw new Problem('conflict', 'You already have an authenticator app. Remove it first.');
}
