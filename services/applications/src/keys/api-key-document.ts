import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { Schema } from 'mongoose';
import type { ApiKey, KeyLeak } from './api-key.ts';

interface KeyLeakDocument {
  at: Date;
  url: string | null;
  source: string | null;
  handled_at: Date | null;
}

/** The last notice that the key expires. */
export interface ExpiryNoticeDocument {
  expires_at: Date;
  days: number;
}

/** An API key as stored in the collection `api_keys`. */
export interface ApiKeyDocument {
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  name: string;
  lookup_id: string;
  digest: string;
  pepper_version: string;
  scopes: Scope[] | null;
  allowed_cidrs: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  revocation_reason: string | null;
  rotated_from: string | null;
  rotated_to: string | null;
  leak: KeyLeakDocument | null;
  /** Absent before the first notice. */
  expiry_notice?: ExpiryNoticeDocument;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
  /** The new key that is about to be inserted; set between the two writes of a rotation. */
  successor?: ApiKeyDocument;
}

export const apiKeySchema = new Schema<ApiKeyDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    application_id: { type: String, required: true },
    environment: { type: String, required: true },
    name: { type: String, required: true },
    lookup_id: { type: String, required: true },
    digest: { type: String, required: true },
    pepper_version: { type: String, required: true },
    scopes: { type: [String], default: null },
    allowed_cidrs: { type: [String], required: true },
    expires_at: { type: Date, default: null },
    revoked_at: { type: Date, default: null },
    revocation_reason: { type: String, default: null },
    rotated_from: { type: String, default: null },
    rotated_to: { type: String, default: null },
    leak: { type: Schema.Types.Mixed, default: null },
    expiry_notice: { type: Schema.Types.Mixed },
    version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
    successor: { type: Schema.Types.Mixed },
  },
  { collection: 'api_keys', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);
/** Matches rotations between their two writes; the same condition makes the index partial. */
export const HAS_SUCCESSOR = { 'successor._id': { $gt: '' } } as const;

/** Few keys expire, and fewer of them soon. */
export const EXPIRING_INDEX = { team_id: 1, expires_at: 1 } as const;

const EXPIRES = { expires_at: { $gt: new Date(0) } } as const;

export const API_KEY_INDEXES: readonly IndexDeclaration[] = [
  { key: { application_id: 1, _id: -1 }, purpose: 'Keys of an application, newest first' },
  { key: { team_id: 1, _id: -1 }, purpose: 'Keys of a team, newest first' },
  {
    key: { lookup_id: 1 },
    unique: true,
    purpose: 'Finds a key by its lookup id; the projection reads keys in its order',
  },
  {
    key: { 'successor._id': 1 },
    partialFilterExpression: HAS_SUCCESSOR,
    purpose: 'Completes interrupted rotations',
  },
  {
    key: EXPIRING_INDEX,
    partialFilterExpression: EXPIRES,
    purpose: 'Keys of a team that expire soon',
  },
  {
    key: { expires_at: 1 },
    partialFilterExpression: EXPIRES,
    purpose: 'Keys of all teams that expire soon, for notices',
  },
  OUTBOX_INDEX,
];

export function toDocument(key: ApiKey, outbox: SignedAuditEntry[]): ApiKeyDocument {
  return {
    _id: key.id,
    team_id: key.teamId,
    application_id: key.applicationId,
    environment: key.environment,
    name: key.name,
    lookup_id: key.lookupId,
    digest: key.digest,
    pepper_version: key.pepperVersion,
    scopes: key.scopes && [...key.scopes],
    allowed_cidrs: [...key.allowedCidrs],
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    revocation_reason: key.revocationReason,
    rotated_from: key.rotatedFrom,
    rotated_to: key.rotatedTo,
    leak: toLeakDocument(key.leak),
    version: key.version,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
    outbox,
  };
}

export function toApiKey(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    teamId: document.team_id,
    applicationId: document.application_id,
    environment: document.environment,
    name: document.name,
    lookupId: document.lookup_id,
    digest: document.digest,
    pepperVersion: document.pepper_version,
    scopes: document.scopes,
    allowedCidrs: document.allowed_cidrs,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
    revocationReason: document.revocation_reason,
    rotatedFrom: document.rotated_from,
    rotatedTo: document.rotated_to,
    leak: toLeak(document.leak),
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

export function toLeakDocument(leak: KeyLeak | null): KeyLeakDocument | null {
  return leak && { at: leak.at, url: leak.url, source: leak.source, handled_at: leak.handledAt };
}

function toLeak(document: KeyLeakDocument | null): KeyLeak | null {
  if (!document) return null;
  const { at, url, source, handled_at: handledAt } = document;
  return { at, url, source, handledAt };
}
