import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import {
  AUDITED_FIELDS,
  listOf,
  nullableNumber,
  nullableShape,
  nullableText,
  RECORD_OPTIONS,
  textOf,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import type { Passkey } from '../passkeys/passkey.ts';
import type { StoredPassword } from '../passwords/password.ts';

/**
 * `joining`: an acceptance is unfinished and has reserved the email. `removed`: the account is closed and emptied. Only
 * the team's list of members states whether the member is in the team.
 */
type MemberStatus = 'joining' | 'active' | 'removed';

interface Totp {
  /** Encrypted. */
  secret: string;
  /** Time step of the last accepted code; codes up to it can no longer be used. */
  last_step: number;
}

export interface PendingTotp {
  /** Encrypted. */
  secret: string;
  expires_at: Date;
}

export interface ResetLink {
  id: string;
  token_digest: string;
  /** Digests of the tokens in earlier attempts to send its mail. These tokens work as well. */
  earlier_token_digests: string[];
  expires_at: Date;
  /** The mail that carries it; null when its creator shares it. */
  mail_id: string | null;
  /** Whether its use also turns off two-factor authentication and removes passkeys: only a link of the operator does. */
  removes_totp: boolean;
}

/** The identity of a member at the provider of the team. */
export interface SsoLink {
  issuer: string;
  subject: string;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  /** Normalized; null once the member is removed. Unique in the team; accounts in other teams may have the same. */
  email: nullableText(),
  /** Together with the email it is unique, which limits the accounts with one email exactly. */
  email_slot: nullableNumber(),
  name: { type: String, required: true },
  status: textOf<MemberStatus>(),
  /** May create more teams. */
  is_installation_admin: { type: Boolean, required: true },
  /** Null for a member who has only signed in with single sign-on. */
  password: nullableShape<StoredPassword>(),
  totp: nullableShape<Totp>(),
  /** An unconfirmed enrollment. */
  pending_totp: nullableShape<PendingTotp>(),
  passkeys: listOf<Passkey>(),
  /** The member has one set of recovery codes for all second factors. */
  recovery_code_digests: { type: [String], required: true },
  reset_link: nullableShape<ResetLink>(),
  /** The identity that signs in as this member; null when there is none. */
  sso: nullableShape<SsoLink>(),
  /** The identity of a removed member, who is not created again by signing in. */
  former_sso: nullableShape<SsoLink>(),
  /** Whether the member gets mail about events of the team that need action. */
  gets_team_mail: { type: Boolean, required: true },
  /** Topics that this mail leaves out, so that it includes those of a later release. */
  muted_mail_topics: listOf<NoticeTopic>(),
  /** Sessions and logins of programs of an earlier epoch are invalid: raising the epoch ends all of them in the same write. */
  session_epoch: { type: Number, required: true },
  ...AUDITED_FIELDS,
} as const;

/** A person's account in a team. It changes only through the functions below; each change raises `version` by one. */
export type Member = InferRawDocType<typeof definition>;

export const memberSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'members' });

/** Matches unfinished acceptances; the same condition makes the index partial. */
export const IS_JOINING = { status: 'joining' } as const;

export const MEMBER_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: 1 }, purpose: 'Members of a team' },
  {
    key: { email: 1, email_slot: 1 },
    unique: true,
    // Removed members have no email, and there may be many of them.
    partialFilterExpression: { email: { $gt: '' } },
    purpose: 'Sign-in by email: its accounts, up to their limit',
  },
  {
    key: { 'reset_link.token_digest': 1 },
    partialFilterExpression: { 'reset_link.token_digest': { $gt: '' } },
    purpose: 'Finds a member by a link to reset a password',
  },
  {
    key: { 'reset_link.earlier_token_digests': 1 },
    partialFilterExpression: { 'reset_link.earlier_token_digests': { $gt: '' } },
    purpose: 'Finds a member by a link of an earlier attempt to mail it',
  },
  {
    key: { 'passkeys.credential_id': 1 },
    unique: true,
    partialFilterExpression: { 'passkeys.credential_id': { $gt: '' } },
    purpose: 'Finds a member by a passkey',
  },
  {
    key: { team_id: 1, 'sso.issuer': 1, 'sso.subject': 1 },
    unique: true,
    partialFilterExpression: { 'sso.subject': { $gt: '' } },
    purpose: 'Finds a member by the identity at the provider of the team',
  },
  { key: { status: 1 }, partialFilterExpression: IS_JOINING, purpose: 'Completes interrupted acceptances' },
  OUTBOX_INDEX,
];

/** The session epoch of a member who has never ended their sessions. */
export const FIRST_SESSION_EPOCH = 1;

const NO_SECOND_FACTOR = { totp: null, pending_totp: null, passkeys: [], recovery_code_digests: [] };

type NewMemberFields = Pick<
  Member,
  '_id' | 'team_id' | 'name' | 'status' | 'is_installation_admin' | 'password'
> & { email: string; sso?: SsoLink };

export function newMember(fields: NewMemberFields, now: Date): Member {
  return {
    sso: null,
    ...fields,
    email_slot: 0,
    former_sso: null,
    ...NO_SECOND_FACTOR,
    reset_link: null,
    gets_team_mail: true,
    muted_mail_topics: [],
    session_epoch: FIRST_SESSION_EPOCH,
    version: 1,
    created_at: now,
    updated_at: now,
    outbox: [],
  };
}

export function changedMember(member: Member, change: Partial<Member>, now: Date): Member {
  return { ...member, ...change, version: member.version + 1, updated_at: now };
}

/** Whether the password alone is not enough to sign in. */
export function hasSecondFactor({ totp, passkeys }: Pick<Member, 'totp' | 'passkeys'>): boolean {
  return totp !== null || passkeys.length > 0;
}

/** Recovery codes are for a second factor: the account without its last one has none. */
export function withoutFactor(
  member: Member,
  factors: Partial<Pick<Member, 'totp' | 'pending_totp' | 'passkeys'>>,
  now: Date,
): Member {
  const after = changedMember(member, factors, now);
  return hasSecondFactor(after) ? after : { ...after, recovery_code_digests: [] };
}

/**
 * A new password ends all sessions and logins of programs, including those of anyone who knew the old password, and invalidates the
 * reset link.
 */
export function withPassword(member: Member, password: StoredPassword, now: Date): Member {
  const session_epoch = member.session_epoch + 1;
  return changedMember(member, { password, session_epoch, reset_link: null }, now);
}

/** The account after the use of a reset link. */
export function withResetPassword(
  member: Member,
  link: ResetLink,
  password: StoredPassword,
  now: Date,
): Member {
  const after = withPassword(member, password, now);
  return link.removes_totp ? { ...after, ...NO_SECOND_FACTOR } : after;
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
  const nothing = { password: null, ...NO_SECOND_FACTOR, reset_link: null };
  return changedMember(member, { ...nothing, sso, session_epoch: member.session_epoch + 1 }, now);
}

/** The account of a removed member: old audit records can still name it, and nobody can sign in with it. Its email can be invited again. */
export function closedAccount(member: Member, now: Date): Member {
  const change = {
    email: null,
    email_slot: null,
    status: 'removed' as const,
    is_installation_admin: false,
    password: null,
    ...NO_SECOND_FACTOR,
    reset_link: null,
    sso: null,
    former_sso: member.sso ?? member.former_sso,
    session_epoch: member.session_epoch + 1,
  };
  return changedMember(member, change, now);
}
