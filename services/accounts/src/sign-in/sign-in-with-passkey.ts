import type { signInWithPasskey as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import { inTeam } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import type { Device } from '../devices/device-tokens.ts';
import type { Member } from '../members/member.ts';
import type { Origin } from '../origin.ts';
import { TO_SIGN_IN } from '../passkeys/challenge-store.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import { isSsoRequired, ssoRequired } from '../sso/require-password-allowed.ts';
import { recordFailures } from './record-failures.ts';
import type { SignedIn } from './sign-in.ts';
import { startSession } from './start-session.ts';

/**
 * Creates a session of the member whose passkey signed an open challenge. The passkey is both factors: its device, and the PIN
 * or biometrics that the device verified. With `member_id`, no other account is signed in to. Throws `sign-in-failed`,
 * `sso-required`, `too-many-attempts`.
 */
export async function signInWithPasskey(
  context: Context,
  request: Static<typeof contract.request> & Origin,
): Promise<SignedIn> {
  const { passkey, member_id, device_tokens = [] } = request;
  let lookup: Promise<Member | null> | undefined;
  const findOwner = () => (lookup ??= context.members.findByCredentialId(passkey.id));
  const device = await findDevice(context, device_tokens, findOwner);
  const subject = { kind: 'passkey', name: passkey.id } as const;
  const attempt = await context.throttle.begin(subject, device === null ? request.address : undefined);
  const owner = await findOwner();
  const isWanted = owner && (member_id === undefined || owner._id === member_id);
  const found = isWanted ? await inTeam(context, owner) : null;
  const member = found && (await usePasskey(context, found.member, passkey, TO_SIGN_IN));
  if (!found || !member) {
    await recordFailures(context, found ? [found.member] : [], request);
    throw new Problem('sign-in-failed', 'The passkey is not registered here, or its response is not valid.');
  }
  await attempt.succeeded();
  if (await isSsoRequired(context, found)) throw ssoRequired();
  const started = await startSession(context, member, request, {
    isNewDevice: device === null,
    method: 'passkey',
  });
  return { ...started, member, role: found.role, deviceToken: context.devices.issue(member, device) };
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
      return owner?._id === memberId ? owner : null;
    });
    if (device) return device;
  }
  return null;
}
