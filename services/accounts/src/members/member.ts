import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import type { Passkey } from '../passkeys/passkey.ts';
import type { StoredPassword } from '../passwords/password.ts';

/**
 * `joining`: an acceptance is unfinished and has reserved the email. `removed`: the account is closed and emptied. Only
 * the team's memberships state whether the member is in the team.
 */
export type MemberStatus = 'joining' | 'active' | 'removed';

export interface Totp {
  /** Encrypted. */
  readonly secret: string;
  /** Time step of the last accepted code; codes up to it can no longer be used. */
  readonly lastStep: number;
}

export interface PendingTotp {
  /** Encrypted. */
  readonly secret: string;
  readonly expiresAt: Date;
}

export interface ResetLink {
  readonly id: string;
  readonly tokenDigest: string;
  /** Digests of the tokens in earlier attempts to send its mail. These tokens work as well. */
  readonly earlierDigests: readonly string[];
  readonly expiresAt: Date;
  /** The mail that carries it; null when its creator shares it. */
  readonly mailId: string | null;
  /** Whether its use also turns off two-factor authentication and removes passkeys: only a link of the operator does. */
  readonly removesTotp: boolean;
}

/** The identity of a member at the provider of the team. */
export interface SsoLink {
  readonly issuer: string;
  readonly subject: string;
}

/** The session epoch of a member who has never ended their sessions. */
export const FIRST_SESSION_EPOCH = 1;

/** A person's account in a team. It changes only through the functions below; each change raises `version` by one. */
export interface Member {
  readonly id: string;
  readonly teamId: string;
  /** Normalized; null once the member is removed. Unique in the team; accounts in other teams may have the same. */
  readonly email: string | null;
  readonly name: string;
  readonly status: MemberStatus;
  /** May create more teams. */
  readonly isInstallationAdmin: boolean;
  /** Null for a member who has only signed in with single sign-on. */
  readonly password: StoredPassword | null;
  readonly totp: Totp | null;
  /** An unconfirmed enrollment. */
  readonly pendingTotp: PendingTotp | null;
  readonly passkeys: readonly Passkey[];
  /** The member has one set of recovery codes for all second factors. */
  readonly recoveryCodeDigests: readonly string[];
  readonly resetLink: ResetLink | null;
  /** The identity that signs in as this member; null when there is none. */
  readonly sso: SsoLink | null;
  /** The identity of a removed member, who is not created again by signing in. */
  readonly formerSso: SsoLink | null;
  /** Whether the member gets mail about events of the team that need action. */
  readonly getsTeamMail: boolean;
  /** Topics that this mail leaves out, so that it includes those of a later release. */
  readonly mutedMailTopics: readonly NoticeTopic[];
  /** Sessions and logins of programs of an earlier epoch are invalid: raising the epoch ends all of them in the same write. */
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
  password: StoredPassword | null;
  sso?: SsoLink;
}

const NO_SECOND_FACTOR = { totp: null, pendingTotp: null, passkeys: [], recoveryCodeDigests: [] } as const;

export function newMember(fields: NewMemberFields, now: Date): Member {
  return {
    ...fields,
    sso: fields.sso ?? null,
    formerSso: null,
    ...NO_SECOND_FACTOR,
    resetLink: null,
    getsTeamMail: true,
    mutedMailTopics: [],
    sessionEpoch: FIRST_SESSION_EPOCH,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

export function changedMember(member: Member, change: Partial<Member>, now: Date): Member {
  return { ...member, ...change, version: member.version + 1, updatedAt: now };
}

/** Whether the password alone is not enough to sign in. */
export function hasSecondFactor({ totp, passkeys }: Pick<Member, 'totp' | 'passkeys'>): boolean {
  return totp !== null || passkeys.length > 0;
}

/** Recovery codes are for a second factor: the account without its last one has none. */
export function withoutFactor(
  member: Member,
  factors: Partial<Pick<Member, 'totp' | 'pendingTotp' | 'passkeys'>>,
  now: Date,
): Member {
  const after = changedMember(member, factors, now);
  return hasSecondFactor(after) ? after : { ...after, recoveryCodeDigests: [] };
}

/**
 * A new password ends all sessions and logins of programs, including those of anyone who knew the old password, and invalidates the
 * reset link.
 */
export function withPassword(member: Member, password: StoredPassword, now: Date): Member {
  const sessionEpoch = member.sessionEpoch + 1;
  return changedMember(member, { password, sessionEpoch, resetLink: null }, now);
}

/** The account after the use of a reset link. */
export function withResetPassword(
  member: Member,
  link: ResetLink,
  password: StoredPassword,
  now: Date,
): Member {
  const after = withPassword(member, password, now);
  return link.removesTotp ? { ...after, ...NO_SECOND_FACTOR } : after;
}

/**
 * Only the provider proved that the email belongs to this person: the password of the account may be that of another member who
 * entered the email. So every earlier way to sign in ends, unless `keepsPassword`.
 */
export function withSsoLink(
  member: Member,
  sso: SsoLink,
  { keepsPassword }: { keepsPassword: boolean },
  now: Date,
): Member {
  if (keepsPassword) return changedMember(member, { sso }, now);
  const nothing = { password: null, ...NO_SECOND_FACTOR, resetLink: null };
  return changedMember(member, { ...nothing, sso, sessionEpoch: member.sessionEpoch + 1 }, now);
}

/** The account of a removed member: old audit records can still name it, and nobody can sign in with it. */
export function closedAccount(member: Member, now: Date): Member {
  const nothing = { email: null, password: null, ...NO_SECOND_FACTOR, resetLink: null, sso: null };
  const formerSso = member.sso ?? member.formerSso;
  const sessionEpoch = member.sessionEpoch + 1;
  return changedMember(
    member,
    { ...nothing, formerSso, sessionEpoch, status: 'removed', isInstallationAdmin: false },
    now,
  );
}
