import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Role } from '@tollgate/contracts/platform/roles';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { Schema } from 'mongoose';
import type { ChatWebhook } from '../chat/chat-webhook.ts';
import type { Team } from './team.ts';

/** A team as stored in the collection `teams`. */
export interface TeamDocument {
  _id: string;
  name: string;
  members: { member_id: string; role: Role }[];
  invitations: {
    id: string;
    member_id: string;
    email: string;
    role: Role;
    token_digest: string;
    encrypted_token: string;
    invited_by: string;
    created_at: Date;
    expires_at: Date;
  }[];
  chat: ChatDocument | null;
  second_factor_required_from: Date | null;
  /** Removed members whose accounts are not emptied yet. */
  leaving: string[];
  version: number;
  created_at: Date;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

interface ChatDocument {
  encrypted_url: string;
  host: string;
  last_four: string;
  muted_topics: NoticeTopic[];
  set_at: Date;
}

export const teamSchema = new Schema<TeamDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    members: [Schema.Types.Mixed],
    invitations: [Schema.Types.Mixed],
    chat: { type: Schema.Types.Mixed, default: null },
    second_factor_required_from: { type: Date, default: null },
    leaving: { type: [String], required: true },
    version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'teams', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);
/** Matches teams with unfinished removals; the same condition makes the index partial. */
export const HAS_LEAVING = { leaving: { $gt: '' } } as const;

export const TEAM_INDEXES: readonly IndexDeclaration[] = [
  { key: { 'invitations.token_digest': 1 }, purpose: 'Finds an invitation by its link' },
  {
    key: { leaving: 1 },
    partialFilterExpression: HAS_LEAVING,
    purpose: 'Completes interrupted removals of members',
  },
  OUTBOX_INDEX,
];

/** The fields that every change of a team writes. */
export function changingFields(team: Team) {
  return {
    name: team.name,
    members: team.memberships.map(({ memberId, role }) => ({ member_id: memberId, role })),
    invitations: team.invitations.map((invitation) => ({
      id: invitation.id,
      member_id: invitation.memberId,
      email: invitation.email,
      role: invitation.role,
      token_digest: invitation.tokenDigest,
      encrypted_token: invitation.encryptedToken,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })),
    second_factor_required_from: team.secondFactorRequiredFrom,
    version: team.version,
    updated_at: team.updatedAt,
  };
}

export function toTeamDocument(team: Team, outbox: SignedAuditEntry[]): TeamDocument {
  const { id, chat, createdAt } = team;
  return {
    _id: id,
    ...changingFields(team),
    chat: chat && toChatDocument(chat),
    leaving: [],
    created_at: createdAt,
    outbox,
  };
}

export function toChatDocument(chat: ChatWebhook): ChatDocument {
  return {
    encrypted_url: chat.encryptedUrl,
    host: chat.host,
    last_four: chat.lastFour,
    muted_topics: [...chat.mutedTopics],
    set_at: chat.setAt,
  };
}

function toChat(document: ChatDocument): ChatWebhook {
  return {
    encryptedUrl: document.encrypted_url,
    host: document.host,
    lastFour: document.last_four,
    mutedTopics: document.muted_topics,
    setAt: document.set_at,
  };
}

export function toTeam(document: TeamDocument): Team {
  return {
    id: document._id,
    name: document.name,
    memberships: document.members.map(({ member_id, role }) => ({ memberId: member_id, role })),
    invitations: document.invitations.map((invitation) => ({
      id: invitation.id,
      memberId: invitation.member_id,
      email: invitation.email,
      role: invitation.role,
      tokenDigest: invitation.token_digest,
      encryptedToken: invitation.encrypted_token,
      invitedBy: invitation.invited_by,
      createdAt: invitation.created_at,
      expiresAt: invitation.expires_at,
    })),
    chat: document.chat && toChat(document.chat),
    secondFactorRequiredFrom: document.second_factor_required_from,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
