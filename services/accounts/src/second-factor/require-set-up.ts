import {
  confirmTotp,
  createPasskey,
  getMe,
  getOwnToken,
  revokeSession,
  signOut,
  startPasskey,
  startTotp,
} from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { hasSecondFactor, type Member } from '../members/member.ts';
import type { Team } from '../teams/team.ts';

/**
 * What a member needs to set up a second factor, and to sign out instead. Everything else is denied. `getOwnToken` accepts no members, but
 * shares its route with `getMe`.
 */
const SET_UP_SUBJECTS = new Set(
  [getMe, getOwnToken, startTotp, confirmTotp, startPasskey, createPasskey, revokeSession, signOut].map(
    rpcSubject,
  ),
);

/**
 * Whether the team requires a second factor by now, and the member has none. The identity provider is responsible for a member who has
 * no password.
 */
export function isSetUpOverdue(team: Team, member: Member, now: Date): boolean {
  const { second_factor_required_from: from } = team;
  return from !== null && from <= now && member.password !== null && !hasSecondFactor(member);
}

/**
 * Throws `second-factor-setup-required` when the member must set up a second factor first, unless the actor token is for
 * nothing else. A request that names no RPCs is denied, too.
 */
export function requireSetUp(team: Team, member: Member, subjects: readonly string[], now: Date): void {
  if (!isSetUpOverdue(team, member, now)) return;
  if (subjects.length > 0 && subjects.every((subject) => SET_UP_SUBJECTS.has(subject))) return;
  throw new Problem(
    'second-factor-setup-required',
    'Your team requires a second factor. Add a passkey or an authenticator app in your account to continue.',
  );
}
