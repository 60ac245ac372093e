import type { signIn as contract } from '@tollgate/contracts/accounts/rpc';
import type { Static } from 'typebox';
import { type ActingMember, inTeam } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import type { Device } from '../devices/device-tokens.ts';
import type { Member } from '../members/member.ts';
import { verifyAttempt } from '../passwords/require-password.ts';
import type { Attempt } from '../throttle/attempt-throttle.ts';

/** What a sign-in was tried for. */
interface Identification {
  /** The account whose password was given; null when there is none. */
  found: (ActingMember & { attempt: Attempt; device: Device | null }) | null;
  /** Accounts of the email whose password was not given. */
  failed: Member[];
}

/** With `member_id`, that account is the only one to try. */
type Given = Pick<
  Static<typeof contract.request>,
  'email' | 'password' | 'address' | 'device_token' | 'member_id'
>;

/**
 * Finds the account of this email whose password was given. A known device is tried for its own member first, and counted
 * by itself. With the same password in two teams, the newest account is found, or the one of the device.
 */
export async function identify(context: Context, given: Given): Promise<Identification> {
  const known = await findKnownDevice(context, given);
  if (known === null) return identifyUnknownDevice(context, given, null);
  const { device, member, others } = known;
  const name = `${member._id} ${device.id}`;
  const attempt = await context.throttle.begin({ kind: 'device', name });
  const { found, failed } = await findByPassword(context, attempt, [member], given);
  if (found) return { found: { ...found, attempt, device }, failed };
  if (others.length === 0) return { found: null, failed };
  const elsewhere = await identifyUnknownDevice(context, given, others);
  return { ...elsewhere, failed: [...failed, ...elsewhere.failed] };
}

async function identifyUnknownDevice(
  context: Context,
  given: Given,
  others: Member[] | null,
): Promise<Identification> {
  const attempt = await context.throttle.begin({ kind: 'account', name: given.email }, given.address);
  const accounts = others ?? (await context.members.listByEmail(given.email));
  const { found, failed } = await findByPassword(context, attempt, accounts.filter(isWanted(given)), given);
  const isAlone = others === null && accounts.length <= 1;
  const counted = isAlone ? attempt : sharedAttempt(attempt, { hasFailed: failed.length > 0 });
  return { found: found && { ...found, attempt: counted, device: null }, failed };
}

/**
 * The attempt at an email with several accounts. Signing in to one of them must not give guesses at another: it resets no
 * count, and an attempt that was also a wrong one for another account stays counted.
 */
function sharedAttempt(attempt: Attempt, { hasFailed }: { hasFailed: boolean }): Attempt {
  const settle = async () => {
    if (!hasFailed) await attempt.withdrawn();
  };
  return { succeeded: settle, withdrawn: settle };
}

/** The device, its member, and the other accounts of the email; null for a device that is unknown for all of them. */
async function findKnownDevice(context: Context, given: Given) {
  const { email, device_token = null } = given;
  let accounts: Member[] = [];
  const device = await context.devices.find(device_token, email, async (memberId) => {
    accounts = await context.members.listByEmail(email);
    return accounts.find(({ _id }) => _id === memberId) ?? null;
  });
  const wanted = accounts.filter(isWanted(given));
  const member = wanted.find(({ _id }) => _id === device?.memberId);
  if (!device || !member) return null;
  return { device, member, others: wanted.filter((other) => other !== member) };
}

function isWanted({ member_id }: Given): (account: Member) => boolean {
  return ({ _id }) => member_id === undefined || _id === member_id;
}

/** Without an account, one password is hashed as well: the time does not reveal whether there is one. */
async function findByPassword(
  context: Context,
  attempt: Attempt,
  accounts: readonly Member[],
  given: Given,
): Promise<{ found: ActingMember | null; failed: Member[] }> {
  if (accounts.length === 0) await verifyAttempt(context, attempt, given, null);
  const failed: Member[] = [];
  for (const member of accounts) {
    const isRight = await verifyAttempt(context, attempt, given, member.password);
    const found = isRight ? await inTeam(context, member) : null;
    if (found) return { found, failed };
    failed.push(member);
  }
  return { found: null, failed };
}
