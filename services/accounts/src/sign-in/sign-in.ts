import { Problem } from '@tollgate/contracts/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { normalizeEmail } from '../members/email.ts';
import { changedMember, type Member } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor, unprovenAuthor } from '../origin.ts';
import { withUsedCode } from '../second-factor/second-factor.ts';
import type { Session } from '../sessions/session.ts';
import { isSsoRequired, ssoRequired } from '../sso/require-password-allowed.ts';
import { identify } from './identify.ts';
import { startSession } from './start-session.ts';

export interface SignInRequest extends Origin {
  email: string;
  password: string;
  totp: string | null;
  recoveryCode: string | null;
  /** From an earlier sign-in on this device. */
  deviceToken: string | null;
}

export interface SignedIn extends MemberInTeam {
  session: Session;
  /** The session's token, which is returned once and stored nowhere. */
  token: string;
  /** For the next sign-in on this device. */
  deviceToken: string;
}

/**
 * Creates a session in the account of this email that the password is for. A wrong email and a wrong password both throw
 * `sign-in-failed` after the same work: neither the
 * response nor its timing reveals whether the account exists. Also throws `second-factor-required` and `sso-required`, only
 * after a correct password, `too-many-attempts`, and `unavailable`.
 */
export async function signIn(context: Context, request: SignInRequest): Promise<SignedIn> {
  const email = normalizeEmail(request.email);
  const { found: identified, failed: wrong } = await identify(context, { ...request, email });
  if (!identified) throw await failed(context, wrong, request);
  if (wrong.length > 0) await recordFailures(context, wrong, request);
  const { member: found, role, attempt, device } = identified;

  if (await isSsoRequired(context, identified)) {
    await attempt.withdrawn();
    throw ssoRequired();
  }
  if (found.totp !== null && request.totp === null && request.recoveryCode === null) {
    await attempt.withdrawn();
    throw new Problem(
      'second-factor-required',
      'The account requires a second factor. Send its code as well.',
    );
  }
  const member = await useSecondFactor(context, found, request);
  if (!member) throw await failed(context, [found], request);
  await attempt.succeeded();
  const current = await renewPassword(context, member, request);
  const deviceToken = context.devices.issue(current, device);
  const started = await startSession(context, member, request, {
    isNewDevice: device === null,
    method: 'password',
  });
  return { ...started, member, role, deviceToken };
}

/** The account with the code consumed; null when the code is wrong or a concurrent request consumed it. */
async function useSecondFactor(
  context: Context,
  member: Member,
  request: SignInRequest,
): Promise<Member | null> {
  if (member.totp === null) return member;
  const now = new Date(context.clock.now());
  const author = provenAuthor(member, request);
  const used = withUsedCode(member, request, { encryption: context.encryption, now, author });
  if (!used) return null;
  const audit = used.audit.map((entry) => signAuditEntry(context.signer, entry));
  if (!(await context.members.replace(member, used.after, audit))) return null;
  context.audit.enqueue(audit.map((entry) => auditMessage(member.id, entry)));
  return used.after;
}

/** Rehashes the password when the parameters have been raised: only a sign-in has the password in plain text. */
async function renewPassword(
  context: Context,
  member: Member,
  { password, address }: SignInRequest,
): Promise<Member> {
  const { password: stored, id: memberId, teamId } = member;
  if (stored === null || !context.passwords.isOutdated(stored)) return member;
  const renewed = await context.passwords.hash(password, address);
  return changeMember(context, { teamId, memberId }, (current, now) => ({
    // The old password must not overwrite one that was changed in the meantime.
    after:
      current.password?.hash === stored.hash ? changedMember(current, { password: renewed }, now) : current,
    audit: [],
  }));
}

/** Stores the failed sign-in before the response, and returns the problem. */
async function failed(context: Context, accounts: Member[], request: SignInRequest): Promise<Problem> {
  await recordFailures(context, accounts, request);
  return new Problem('sign-in-failed', 'The email address, password, or code is incorrect.');
}

/**
 * Records the failed sign-in in the team of each account. The audit entries are left to the sweep: publishing them here
 * would delay the response by some milliseconds, only for emails with an account.
 */
async function recordFailures(context: Context, accounts: Member[], request: SignInRequest): Promise<void> {
  const now = new Date(context.clock.now());
  const author = unprovenAuthor(request);
  const audit = accounts.map((member) =>
    signAuditEntry(context.signer, memberAuditEntry('member.sign_in_failed', author, member, now)),
  );
  await context.failedSignIns.insert(audit, now);
}
