import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { Schema } from 'mongoose';
import type { Passkey } from '../passkeys/passkey.ts';
import type { StoredPassword } from '../passwords/password.ts';
import type { Member, MemberStatus, SsoLink } from './member.ts';

/** A passkey in the document of its member. */
export interface PasskeyDocument {
  id: string;
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string[];
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** A member as stored in the collection `members`. */
export interface MemberDocument {
  _id: string;
  team_id: string;
  /** Null once the member is removed. */
  email: string | null;
  /** Together with the email it is unique, which limits the accounts with one email exactly. */
  email_slot: number | null;
  name: string;
  status: MemberStatus;
  is_installation_admin: boolean;
  password: StoredPassword | null;
  totp: { secret: string; last_step: number } | null;
  pending_totp: { secret: string; expires_at: Date } | null;
  passkeys: PasskeyDocument[];
  recovery_code_digests: string[];
  reset_link: {
    id: string;
    token_digest: string;
    earlier_token_digests: string[];
    expires_at: Date;
    mail_id: string | null;
    removes_totp: boolean;
  } | null;
  sso: SsoLink | null;
  former_sso: SsoLink | null;
  gets_team_mail: boolean;
  muted_mail_topics: NoticeTopic[];
  session_epoch: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

export const memberSchema = new Schema<MemberDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    email: { type: String, default: null },
    email_slot: { type: Number, default: null },
    name: { type: String, required: true },
    status: { type: String, required: true },
    is_installation_admin: { type: Boolean, required: true },
    password: { type: Schema.Types.Mixed, default: null },
    totp: { type: Schema.Types.Mixed, default: null },
    pending_totp: { type: Schema.Types.Mixed, default: null },
    passkeys: [Schema.Types.Mixed],
    recovery_code_digests: { type: [String], required: true },
    reset_link: { type: Schema.Types.Mixed, default: null },
    sso: { type: Schema.Types.Mixed, default: null },
    former_sso: { type: Schema.Types.Mixed, default: null },
    gets_team_mail: { type: Boolean, required: true },
    muted_mail_topics: { type: [String], required: true },
    session_epoch: { type: Number, required: true },
    version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'members', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);
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

/** Nobody proves that an email is theirs until it can receive a link, so an account in one team reserves it in no other. */
export const MAX_ACCOUNTS_PER_EMAIL = 5;

/** The slots of an email are numbered from here. */
export const FIRST_EMAIL_SLOT = 0;

/** The email fields of a removed member, whose email can be invited again. */
export const NO_EMAIL = { email: null, email_slot: null };

/** The fields that every change of a member writes. The email is apart: it needs a slot. */
export function changingFields(member: Member) {
  return {
    name: member.name,
    status: member.status,
    is_installation_admin: member.isInstallationAdmin,
    password: member.password,
    totp: member.totp && { secret: member.totp.secret, last_step: member.totp.lastStep },
    pending_totp: member.pendingTotp && {
      secret: member.pendingTotp.secret,
      expires_at: member.pendingTotp.expiresAt,
    },
    passkeys: member.passkeys.map(toPasskeyDocument),
    recovery_code_digests: [...member.recoveryCodeDigests],
    reset_link: member.resetLink && {
      id: member.resetLink.id,
      token_digest: member.resetLink.tokenDigest,
      earlier_token_digests: [...member.resetLink.earlierDigests],
      expires_at: member.resetLink.expiresAt,
      mail_id: member.resetLink.mailId,
      removes_totp: member.resetLink.removesTotp,
    },
    sso: member.sso,
    former_sso: member.formerSso,
    gets_team_mail: member.getsTeamMail,
    muted_mail_topics: [...member.mutedMailTopics],
    session_epoch: member.sessionEpoch,
    version: member.version,
    updated_at: member.updatedAt,
  };
}

export function toMemberDocument(member: Member, emailSlot: number): MemberDocument {
  return {
    _id: member.id,
    team_id: member.teamId,
    email: member.email,
    email_slot: emailSlot,
    ...changingFields(member),
    created_at: member.createdAt,
    outbox: [],
  };
}

export function toMember(document: MemberDocument): Member {
  const { totp, pending_totp, reset_link } = document;
  return {
    id: document._id,
    teamId: document.team_id,
    email: document.email,
    name: document.name,
    status: document.status,
    isInstallationAdmin: document.is_installation_admin,
    password: document.password,
    totp: totp && { secret: totp.secret, lastStep: totp.last_step },
    pendingTotp: pending_totp && { secret: pending_totp.secret, expiresAt: pending_totp.expires_at },
    passkeys: document.passkeys.map(toPasskey),
    recoveryCodeDigests: document.recovery_code_digests,
    resetLink: reset_link && {
      id: reset_link.id,
      tokenDigest: reset_link.token_digest,
      earlierDigests: reset_link.earlier_token_digests,
      expiresAt: reset_link.expires_at,
      mailId: reset_link.mail_id,
      removesTotp: reset_link.removes_totp,
    },
    sso: document.sso,
    formerSso: document.former_sso,
    getsTeamMail: document.gets_team_mail,
    mutedMailTopics: document.muted_mail_topics,
    sessionEpoch: document.session_epoch,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

function toPasskeyDocument(passkey: Passkey): PasskeyDocument {
  return {
    id: passkey.id,
    name: passkey.name,
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: [...passkey.transports],
    backed_up: passkey.isSynced,
    created_at: passkey.createdAt,
    last_used_at: passkey.lastUsedAt,
  };
}

function toPasskey(document: PasskeyDocument): Passkey {
  return {
    id: document.id,
    name: document.name,
    credentialId: document.credential_id,
    publicKey: document.public_key,
    counter: document.counter,
    transports: document.transports,
    isSynced: document.backed_up,
    createdAt: document.created_at,
    lastUsedAt: document.last_used_at,
  };
}
