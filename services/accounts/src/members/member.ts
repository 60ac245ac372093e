import type { StoredPassword } from '../passwords/password.ts';

/**
 * `joining`: an acceptance is between its writes; the email is taken. `removed`: the account is closed and emptied.
 * Neither says whether someone is in the team: the team's memberships do.
 */
export type MemberStatus = 'joining' | 'active' | 'removed';

export interface Totp {
  /** Encrypted. */
  readonly secret: string;
  /** Time step of the last code accepted; codes up to it are used up. */
  readonly lastStep: number;
  readonly recoveryCodeDigests: readonly string[];
}

export interface ResetLink {
  readonly tokenDigest: string;
  readonly expiresAt: Date;
}

/** A person's account in a team. It changes only through the functions below; each change raises `version` by one. */
export interface Member {
  readonly id: string;
  readonly teamId: string;
  /** Normalised; null once the member is removed, so that the address can be invited again. */
  readonly email: string | null;
  readonly name: string;
  readonly status: MemberStatus;
  /** May make further teams. */
  readonly isInstallationAdmin: boolean;
  readonly password: StoredPassword | null;
  readonly totp: Totp | null;
  /** Encrypted secret of an enrolment that is not confirmed. */
  readonly pendingTotpSecret: string | null;
  readonly resetLink: ResetLink | null;
  /** Sessions of an earlier epoch are over: raising it ends all of them in the write that calls for it. */
  readonly sessionEpoch: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewMemberFields {
  id: string;
  teamId: string;
  email: string;
  name: string;
  status: MemberStatus;
  isInstallationAdmin: boolean;
  password: StoredPassword;
}

export function newMember(fields: NewMemberFields, now: Date): Member {
  return {
    ...fields,
    totp: null,
    pendingTotpSecret: null,
    resetLink: null,
    sessionEpoch: 1,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

export function changedMember(member: Member, change: Partial<Member>, now: Date): Member {
  return { ...member, ...change, version: member.version + 1, updatedAt: now };
}

/** A new password ends all sessions, and with them anyone who knew the old one; so does the use of a reset link. */
export function withPassword(member: Member, password: StoredPassword, now: Date): Member {
  const sessionEpoch = member.sessionEpoch + 1;
  return changedMember(member, { password, sessionEpoch, resetLink: null }, now);
}

/** What is left of an account whose member was removed: enough for old audit records to name it, nothing to sign in with. */
export function emptied(member: Member, now: Date): Member {
  const nothing = { email: null, password: null, totp: null, pendingTotpSecret: null, resetLink: null };
  const sessionEpoch = member.sessionEpoch + 1;
  return changedMember(
    member,
    { ...nothing, sessionEpoch, status: 'removed', isInstallationAdmin: false },
    now,
  );
}
