import type { SignedAuditEntry } from '@tollgate/contracts/audit';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { Schema } from 'mongoose';
import type { StoredPassword } from '../passwords/password.ts';
import type { Member, MemberStatus, PendingTotp } from './member.ts';

/** A member as stored in the collection `members`. */
export interface MemberDocument {
  _id: string;
  team_id: string;
  email: string | null;
  name: string;
  status: MemberStatus;
  is_installation_admin: boolean;
  password: StoredPassword | null;
  totp: { secret: string; last_step: number; recovery_code_digests: string[] } | null;
  pending_totp_secret: string | null;
  /** Absent in documents of earlier releases, whose enrollments count as expired. */
  pending_totp_expires_at?: Date | null;
  /** `id` is absent in documents of earlier releases. */
  reset_link: { id?: string | null; token_digest: string; expires_at: Date } | null;
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
    name: { type: String, required: true },
    status: { type: String, required: true },
    is_installation_admin: { type: Boolean, required: true },
    password: { type: Schema.Types.Mixed, default: null },
    totp: { type: Schema.Types.Mixed, default: null },
    pending_totp_secret: { type: String, default: null },
    pending_totp_expires_at: { type: Date, default: null },
    reset_link: { type: Schema.Types.Mixed, default: null },
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
memberSchema.index({ team_id: 1, _id: 1 });
// Removed members have no email, and there may be many of them.
memberSchema.index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $gt: '' } } });
memberSchema.index(
  { 'reset_link.token_digest': 1 },
  { partialFilterExpression: { 'reset_link.token_digest': { $gt: '' } } },
);
memberSchema.index({ status: 1 }, { partialFilterExpression: IS_JOINING });
memberSchema.index(...OUTBOX_INDEX);

/** The fields that a change of a member may write. */
export function changingFields(member: Member) {
  return {
    email: member.email,
    name: member.name,
    status: member.status,
    is_installation_admin: member.isInstallationAdmin,
    password: member.password,
    totp: member.totp && {
      secret: member.totp.secret,
      last_step: member.totp.lastStep,
      recovery_code_digests: [...member.totp.recoveryCodeDigests],
    },
    pending_totp_secret: member.pendingTotp?.secret ?? null,
    pending_totp_expires_at: member.pendingTotp?.expiresAt ?? null,
    reset_link: member.resetLink && {
      id: member.resetLink.id,
      token_digest: member.resetLink.tokenDigest,
      expires_at: member.resetLink.expiresAt,
    },
    session_epoch: member.sessionEpoch,
    version: member.version,
    updated_at: member.updatedAt,
  };
}

export function toMemberDocument(member: Member, outbox: SignedAuditEntry[]): MemberDocument {
  return {
    _id: member.id,
    team_id: member.teamId,
    ...changingFields(member),
    created_at: member.createdAt,
    outbox,
  };
}

export function toMember(document: MemberDocument): Member {
  const { totp, reset_link } = document;
  return {
    id: document._id,
    teamId: document.team_id,
    email: document.email,
    name: document.name,
    status: document.status,
    isInstallationAdmin: document.is_installation_admin,
    password: document.password,
    totp: totp && {
      secret: totp.secret,
      lastStep: totp.last_step,
      recoveryCodeDigests: totp.recovery_code_digests,
    },
    pendingTotp: toPendingTotp(document),
    resetLink: reset_link && {
      id: reset_link.id ?? null,
      tokenDigest: reset_link.token_digest,
      expiresAt: reset_link.expires_at,
    },
    sessionEpoch: document.session_epoch,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

function toPendingTotp(document: MemberDocument): PendingTotp | null {
  const { pending_totp_secret: secret, pending_totp_expires_at: expiresAt } = document;
  return secret && expiresAt ? { secret, expiresAt } : null;
}
