import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Device } from '../devices/device-tokens.ts';
import type { Member } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import type { Origin } from '../origin.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import { isSsoRequired, ssoRequired } from '../sso/require-password-allowed.ts';
import { currentRole } from './current-role.ts';
import { recordFailures } from './record-failures.ts';
import type { SignedIn } from './sign-in.ts';
import { startSession } from './start-session.ts';

interface PasskeySignInRequest extends Origin {
  passkey: PasskeyAssertion;
  /** From earlier sign-ins on this device, of any members. */
  deviceTokens: readonly string[];
  /** The only account to sign in to; null for that of the passkey. */
  memberId: string | null;
}

/**
 * Creates a session of the member whose passkey signed an open challenge. The passkey is both factors: its device, and the PIN
 * or biometrics that the device verified. Throws `sign-in-failed`, `sso-required`, `too-many-attempts`.
 */
export async function signInWithPasskey(context: Context, request: PasskeySignInRequest): Promise<SignedIn> {
  const { passkey, memberId } = request;
  let lookup: Promise<Member | null> | undefined;
  const findOwner = () => (lookup ??= context.members.findByCredentialId(passkey.id));
  const device = await findDevice(context, request.deviceTokens, findOwner);
  const subject = { kind: 'passkey', name: passkey.id } as const;
  const attempt = await context.throttle.begin(subject, device === null ? request.address : undefined);
  const owner = await inTeam(context, await findOwner());
  const found = memberId === null || owner?.member.id === memberId ? owner : null;
  const member = found && (await usePasskey(context, found.member, passkey, { type: 'sign-in' }));
  if (!found || !member) {
    await recordFailures(context, found ? [found.member] : [], request);
    throw new Problem('sign-in-failed', 'The passkey is not registered here, or its response is not valid.');
  }
  await attempt.succeeded();
  if (await isSsoRequired(context, { member, role: found.role })) throw ssoRequired();
  const started = await startSession(context, member, request, {
    isNewDevice: device === null,
    method: 'passkey',
  });
  return { ...started, member, role: found.role, deviceToken: context.devices.issue(member, device) };
}

async function inTeam(context: Context, member: Member | null): Promise<MemberInTeam | null> {
  const role = member && (await currentRole(context, member));
  return member && role ? { member, role } : null;
}

/** The device on which the member of this passkey signed in before. Only a token that accounts issued causes a query. */
async function findDevice(
  { devices }: Context,
  tokens: readonly string[],
  findOwner: () => Promise<Member | null>,
): Promise<Device | null> {
  for (const token of tokens) {
    const device = await devices.find(token, null, async (memberId) => {
      const owner = await findOwner();
      return owner?.id === memberId ? owner : null;
    });
    if (device) return device;
  }
  return null;
}
