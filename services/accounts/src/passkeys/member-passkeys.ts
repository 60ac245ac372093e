import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Member } from '../members/member.ts';
import type { Passkey } from './passkey.ts';

/** Throws `not-found`. */
export function findPasskey({ passkeys }: Member, id: string): Passkey {
  const passkey = passkeys.find((candidate) => candidate.id === id);
  if (passkey) return passkey;
  throw new Problem('not-found', `You have no passkey ${id}.`);
}

/** The member's passkeys with a changed one. */
export function withPasskey({ passkeys }: Member, id: string, change: Partial<Passkey>): Passkey[] {
  return passkeys.map((passkey) => (passkey.id === id ? { ...passkey, ...change } : passkey));
}

/** Throws `conflict`. */
export function requireRoomForPasskey({ passkeys }: Member): void {
  const max = ACCOUNT_LIMITS.passkeysPerMember;
  if (passkeys.length < max) return;
  throw new Problem('conflict', `You have ${max} passkeys, the limit. Remove one first.`);
}
