import type { PasskeyAssertion, SecondFactorName } from '@tollgate/contracts/accounts/passkey';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { normalizeEmail } from '../members/email.ts';
import { changedMember, hasSecondFactor, type Member } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import { withUsedCode } from '../second-factor/second-factor.ts';
import type { Session } from '../sessions/session.ts';
import { isSsoRequired, ssoRequired } from '../sso/require-password-allowed.ts';
import { identify } from './identify.ts';
import { recordFailures } from './record-failures.ts';
import { type SignInMethod, startSession } from './start-session.ts';

export interface SignInRequest extends Origin {
  email: string;
  password: string;
  totp: string | null;
  recoveryCode: string | null;
  passkey: PasskeyAssertion | null;
  /** From an earlier sign-in on this device. */
  deviceToken: string | null;
  /** The only account to sign in to; null for any of the email. */
  memberId: string | null;
}

export interface SignedIn extends MemberInTeam {
  session: Session;
  /** The session's token, which is returned once and stored nowhere. */
  token: string;
  /** Sent with the next sign-in on this device. */
  deviceToken: string;
}

/**
 * Creates a session in the account of this email that the password is for. A wrong email and a wrong password both throw
 * `sign-in-failed` after the same work: neither the response nor its timing reveals whether the account exists. Also throws
 * `second-factor-required` and `sso-required`, only after a correct password, `too-many-attempts`, and `unavailable`.
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
  const method = methodOf(found, request);
  if (hasSecondFactor(found) && method === 'password') {
    await attempt.withdrawn();
    throw secondFactorRequired(found);
  }
  const member = await useSecondFactor(context, found, request);
  if (!member) throw await failed(context, [found], request);
  await attempt.succeeded();
  const current = await renewPassword(context, member, request);
  const deviceToken = context.devices.issue(current, device);
  const started = await startSession(context, member, request, { isNewDevice: device === null, method });
  return { ...started, member, role, deviceToken };
}

function methodOf(member: Member, { totp, recoveryCode, passkey }: SignInRequest): SignInMethod {
  if (!hasSecondFactor(member)) return 'password';
  if (passkey !== null) return 'password_and_passkey';
  if (totp !== null) return 'password_and_totp';
  return recoveryCode === null ? 'password' : 'password_and_recovery_code';
}

/** Only after a correct password: nobody else learns which factors a member has. */
function secondFactorRequired({ totp, passkeys, recoveryCodeDigests }: Member): Problem {
  const factors: SecondFactorName[] = [];
  if (passkeys.length > 0) factors.push('passkey');
  if (totp !== null) factors.push('totp');
  if (recoveryCodeDigests.length > 0) factors.push('recovery_code');
  return new Problem(
    'second-factor-required',
    'The account requires a second factor. Send one of its `factors` as well.',
    { extensions: { factors } },
  );
}

/** The account with the second factor used; null when the factor is wrong or a concurrent request used it. */
async function useSecondFactor(
  context: Context,
  member: Member,
  request: SignInRequest,
): Promise<Member | null> {
  if (!hasSecondFactor(member)) return member;
  if (request.passkey !== null) return usePasskey(context, member, request.passkey, { type: 'sign-in' });
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
