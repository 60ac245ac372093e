import type { SecondFactorName } from '@tollgate/contracts/accounts/passkey';
import type { signIn as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { normalizeEmail } from '../members/email.ts';
import { changedMember, hasSecondFactor, type Member } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { TO_SIGN_IN } from '../passkeys/challenge-store.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import { useCode } from '../second-factor/second-factor.ts';
import type { Session } from '../sessions/session.ts';
import { isSsoRequired, ssoRequired } from '../sso/require-password-allowed.ts';
import { identify } from './identify.ts';
import { recordFailures } from './record-failures.ts';
import { type SignInMethod, startSession } from './start-session.ts';

type SignInRequest = Static<typeof contract.request> & Origin;

export interface SignedIn extends MemberInTeam {
  session: Session;
  /** The session's token, which is returned once and stored nowhere. */
  token: string;
  /** Sent with the next sign-in on this device. Single sign-on issues none. */
  deviceToken?: string;
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

function methodOf(member: Member, { totp, recovery_code, passkey }: SignInRequest): SignInMethod {
  if (!hasSecondFactor(member)) return 'password';
  if (passkey) return 'password_and_passkey';
  if (totp !== undefined) return 'password_and_totp';
  return recovery_code === undefined ? 'password' : 'password_and_recovery_code';
}

/** Only after a correct password: nobody else learns which factors a member has. */
function secondFactorRequired({ totp, passkeys, recovery_code_digests }: Member): Problem {
  const factors: SecondFactorName[] = [];
  if (passkeys.length > 0) factors.push('passkey');
  if (totp !== null) factors.push('totp');
  if (recovery_code_digests.length > 0) factors.push('recovery_code');
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
  return request.passkey
    ? usePasskey(context, member, request.passkey, TO_SIGN_IN)
    : useCode(context, member, request, provenAuthor(member, request));
}

/** Rehashes the password when the parameters have been raised: only a sign-in has the password in plain text. */
async function renewPassword(
  context: Context,
  member: Member,
  { password, address }: SignInRequest,
): Promise<Member> {
  const { password: stored, _id, team_id } = member;
  if (stored === null || !context.passwords.isOutdated(stored)) return member;
  const renewed = await context.passwords.hash(password, address);
  return changeAudited(
    context,
    context.members,
    { _id, team_id },
    // The old password must not overwrite one that was changed in the meantime.
    (current, now) =>
      current.password?.hash === stored.hash ? changedMember(current, { password: renewed }, now) : current,
    () => [],
  );
}

/** Stores the failed sign-in before the response, and returns the problem. */
async function failed(context: Context, accounts: Member[], request: SignInRequest): Promise<Problem> {
  await recordFailures(context, accounts, request);
  return new Problem('sign-in-failed', 'The email address, password, or code is incorrect.');
}
