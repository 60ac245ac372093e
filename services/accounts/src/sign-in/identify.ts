import type { Role } from '@tollgate/contracts/roles';
import type { Context } from '../context.ts';
import type { Device } from '../devices/device-tokens.ts';
import type { Member } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { verifyAttempt } from '../passwords/verify-attempt.ts';
import { roleIn } from '../teams/team.ts';
import type { Attempt } from '../throttle/attempt-throttle.ts';

/** The account that a sign-in is for, and the attempt, which counts as failed until its outcome is reported. */
export interface Identified extends MemberInTeam {
  attempt: Attempt;
  /** Null for an unknown device. */
  device: Device | null;
  /** Whether the attempt could have been for another account as well. */
  isOneOfSeveral: boolean;
}

interface Given {
  email: string;
  password: string;
  address: string | null;
  deviceToken: string | null;
}

/**
 * Finds the account of this email whose password was given; null when there is none. `accounts` are those that were
 * tried. A known device is tried for its own member first, and counted by itself. With the same password in two teams,
 * the newest account is found, or the one of the device.
 */
export async function identify(
  context: Context,
  given: Given,
): Promise<{ identified: Identified | null; accounts: Member[] }> {
  const known = await findKnownDevice(context, given);
  if (known) {
    const attempt = await context.throttle.begin(
      { kind: 'device', name: `${known.member.id} ${known.device.id}` },
      null,
    );
    const found = await findByPassword(context, attempt, [known.member], given);
    if (found) {
      const identified = { ...found, attempt, device: known.device, isOneOfSeveral: false };
      return { identified, accounts: [known.member] };
    }
    if (known.others.length === 0) return { identified: null, accounts: [known.member] };
  }
  const attempt = await context.throttle.begin({ kind: 'account', name: given.email }, given.address);
  const accounts = known?.others ?? (await context.members.listByEmail(given.email));
  const found = await findByPassword(context, attempt, accounts, given);
  const isOneOfSeveral = known !== null || accounts.length > 1;
  return { identified: found && { ...found, attempt, device: null, isOneOfSeveral }, accounts };
}

/** The device, its member, and the other accounts of the email; null for a device that is unknown for all of them. */
async function findKnownDevice(context: Context, { email, deviceToken }: Given) {
  let accounts: Member[] = [];
  const device = await context.devices.find(deviceToken, async (memberId) => {
    accounts = await context.members.listByEmail(email);
    return accounts.find(({ id }) => id === memberId) ?? null;
  });
  const member = accounts.find(({ id }) => id === device?.memberId);
  if (!device || !member) return null;
  return { device, member, others: accounts.filter((other) => other !== member) };
}

/** Without an account, one password is hashed as well: the time does not reveal whether there is one. */
async function findByPassword(
  context: Context,
  attempt: Attempt,
  accounts: readonly Member[],
  given: Given,
): Promise<MemberInTeam | null> {
  if (accounts.length === 0) await verifyAttempt(context, attempt, given, null);
  for (const member of accounts) {
    const isRight = await verifyAttempt(context, attempt, given, member.password);
    const role = isRight ? await currentRole(context, member) : null;
    if (role) return { member, role };
  }
  return null;
}

async function currentRole(context: Context, member: Member): Promise<Role | null> {
  const team = await context.teams.find(member.teamId);
  return team && roleIn(team, member.id);
}
