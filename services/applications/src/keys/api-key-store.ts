import type { ApiKeyStatus } from '@tollgate/contracts/applications/application';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { type ExpiryNotice, FIRST_EXPIRY_NOTICE_MS } from '@tollgate/contracts/platform/expiry';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { containsText } from '../contains-text.ts';
import type { ApiKey } from './api-key.ts';
import {
  type ApiKeyDocument,
  apiKeySchema,
  EXPIRING_INDEX,
  HAS_SUCCESSOR,
  toApiKey,
  toDocument,
  toLeakDocument,
} from './api-key-document.ts';

export interface Rotation {
  old: ApiKey;
  successor: ApiKey;
}

/** Selects keys of a team. An absent field selects all. */
export interface KeyFilter {
  applicationId?: string | undefined;
  environment?: Environment | undefined;
  status?: ApiKeyStatus | undefined;
  /** Part of the name, in any case. */
  name?: string | undefined;
  /** Only keys with a leak that needs attention. */
  leak?: 'unhandled' | undefined;
  /** Only active keys that expire before this time. */
  expiresBefore?: Date | undefined;
}

/** A key that expires, with the last notice of it. */
export interface ExpiringKey {
  key: ApiKey & { expiresAt: Date };
  lastNotice: ExpiryNotice | null;
}

export interface ApiKeyStore {
  insert(key: ApiKey, audit: SignedAuditEntry): Promise<void>;
  find(teamId: string, keyId: string): Promise<ApiKey | null>;
  /** `now` decides which keys are expired. */
  list(teamId: string, filter: KeyFilter, request: PageRequest, now: Date): Promise<Page<ApiKey>>;
  /** Counts active keys that no rotation is replacing. */
  countActive(teamId: string, applicationId: string, now: Date): Promise<number>;
  hasActiveLiveKey(teamId: string, applicationId: string, now: Date): Promise<boolean>;
  /** Stores an edit with its audit entry. False when the key changed since `before` was read. */
  saveEdited(before: ApiKey, after: ApiKey, audit: SignedAuditEntry): Promise<boolean>;
  /** Stores a revocation with its audit entry. False when the key changed since `before` was read. */
  saveRevoked(before: ApiKey, after: ApiKey, audit: SignedAuditEntry): Promise<boolean>;
  /**
   * Stores what the bucket says of a key, with the audit entry. False when the key changed since `before` was read.
   */
  saveAtEntry(before: ApiKey, after: ApiKey, audit: SignedAuditEntry): Promise<boolean>;
  /** Stores a leak, and what it changed, with its audit entry. False when the key changed since `before` was read. */
  saveLeaked(before: ApiKey, after: ApiKey, audit: SignedAuditEntry): Promise<boolean>;
  /** Stores that a leak was handled, with its audit entry. False when the key changed since `before` was read. */
  saveLeakHandled(before: ApiKey, after: ApiKey, audit: SignedAuditEntry): Promise<boolean>;
  /**
   * First write of a rotation, which decides it: stores the old key with its successor. False when the key changed
   * since `before` was read; nothing is stored then.
   */
  saveRotated(before: ApiKey, rotation: Rotation, audit: SignedAuditEntry): Promise<boolean>;
  /** Second write: inserts the successor as its own document. Safe to repeat. */
  completeRotation(rotation: Rotation): Promise<void>;
  /** The rotation to this successor, if it is between its two writes. */
  findIncompleteRotation(teamId: string, successorId: string): Promise<Rotation | null>;
  /** Rotations of every team that a crash interrupted between the two writes. */
  findIncompleteRotations(limit: number): Promise<Rotation[]>;
  /** Keys in use that expire before the first notice would be early, soonest first. */
  findExpiringOfAllTeams(now: Date): AsyncIterable<ExpiringKey>;
  /** Stores a notice with its audit entry. False when the key changed, or another instance stored one. */
  saveExpiryNotice(expiring: ExpiringKey, notice: ExpiryNotice, audit: SignedAuditEntry): Promise<boolean>;
  /** Only for the projection and for reports of leaks, which serve every team. */
  findOfAllTeams(lookupIds: string[]): Promise<ApiKey[]>;
  /** Only for the projection: at most `limit` lookup ids in order, after `after`. */
  listLookupIdsOfAllTeams(after: string, limit: number): Promise<string[]>;
  /** Keys of these applications of any team, without those that have audit entries to confirm. */
  findRemovableOfAllTeams(applicationIds: string[], limit: number): Promise<ApiKey[]>;
  removeOfAllTeams(keyIds: string[]): Promise<void>;
  /** Only for the projection: raises the version to at least this one. */
  raiseVersionOfAnyTeam(lookupId: string, version: number): Promise<void>;
}

export function createApiKeyStore(connection: Connection): ApiKeyStore {
  const model = connection.model<ApiKeyDocument>('ApiKey', apiKeySchema);

  /** Stores fields of a changed key with the audit entry. False when the key changed since `before` was read. */
  async function save(
    before: ApiKey,
    after: ApiKey,
    audit: SignedAuditEntry,
    fields: Record<string, unknown>,
  ): Promise<boolean> {
    const result = await model.updateOne(unchangedSince(before), {
      $set: { ...fields, version: after.version, updated_at: after.updatedAt },
      $push: { outbox: audit },
    });
    return result.matchedCount === 1;
  }

  return {
    async insert(key, audit) {
      await model.create([toDocument(key, [audit])]);
    },

    async find(teamId, keyId) {
      const document = await model.findOne({ _id: keyId, team_id: teamId }).lean();
      return document && toApiKey(document);
    },

    list(teamId, { applicationId, environment, status, name, leak, expiresBefore }, request, now) {
      return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
        const found = model
          .find({
            team_id: teamId,
            ...(applicationId !== undefined && { application_id: applicationId }),
            ...(environment && { environment }),
            ...(name !== undefined && { name: containsText(name) }),
            ...(status && hasStatus(status, now)),
            ...(leak && { 'leak.at': { $ne: null }, 'leak.handled_at': null }),
            ...(expiresBefore && {
              $and: [{ revoked_at: null, expires_at: { $gt: now, $lt: expiresBefore } }],
            }),
            ...filter,
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean();
        const documents = await (expiresBefore ? found.hint(EXPIRING_INDEX) : found);
        return documents.map(toApiKey);
      });
    },

    countActive(teamId, applicationId, now) {
      return model.countDocuments({
        application_id: applicationId,
        team_id: teamId,
        rotated_to: null,
        ...activeAt(now),
      });
    },

    async hasActiveLiveKey(teamId, applicationId, now) {
      const found = await model.exists({
        application_id: applicationId,
        team_id: teamId,
        environment: 'live',
        ...activeAt(now),
      });
      return found !== null;
    },

    saveEdited: (before, after, audit) =>
      save(before, after, audit, {
        name: after.name,
        scopes: after.scopes && [...after.scopes],
        allowed_cidrs: [...after.allowedCidrs],
        expires_at: after.expiresAt,
      }),

    saveRevoked: (before, after, audit) =>
      save(before, after, audit, {
        revoked_at: after.revokedAt,
        revocation_reason: after.revocationReason,
        ...(after.leak && { 'leak.handled_at': after.leak.handledAt }),
      }),

    saveAtEntry: (before, after, audit) =>
      save(before, after, audit, {
        scopes: after.scopes && [...after.scopes],
        allowed_cidrs: [...after.allowedCidrs],
        expires_at: after.expiresAt,
        revoked_at: after.revokedAt,
        revocation_reason: after.revocationReason,
      }),

    saveLeaked: (before, after, audit) =>
      save(before, after, audit, {
        leak: toLeakDocument(after.leak),
        revoked_at: after.revokedAt,
        revocation_reason: after.revocationReason,
      }),

    saveLeakHandled: (before, after, audit) =>
      save(before, after, audit, { 'leak.handled_at': after.leak?.handledAt ?? null }),

    saveRotated: (before, { old, successor }, audit) =>
      save(before, old, audit, {
        expires_at: old.expiresAt,
        rotated_to: old.rotatedTo,
        successor: toDocument(successor, []),
      }),

    async completeRotation({ old, successor }) {
      try {
        await model.create([toDocument(successor, [])]);
      } catch (error) {
        const isRepeat = isDuplicateKey(error);
        if (!isRepeat || !(await model.exists({ _id: successor.id, team_id: successor.teamId }))) throw error;
      }
      await model.updateOne({ _id: old.id, team_id: old.teamId }, { $unset: { successor: true } });
    },

    async findIncompleteRotation(teamId, successorId) {
      const document = await model.findOne({ 'successor._id': successorId, team_id: teamId }).lean();
      return document && toRotation(document);
    },

    async findIncompleteRotations(limit) {
      const documents = await model.find(HAS_SUCCESSOR).limit(limit).lean();
      return documents.flatMap((document) => toRotation(document) ?? []);
    },

    async *findExpiringOfAllTeams(now) {
      const until = new Date(now.getTime() + FIRST_EXPIRY_NOTICE_MS);
      const found = model
        .find({ expires_at: { $gt: now, $lte: until }, revoked_at: null, rotated_to: null })
        .sort({ expires_at: 1 })
        .lean()
        .cursor();
      for await (const document of found) {
        const key = toApiKey(document);
        if (key.expiresAt)
          yield { key: { ...key, expiresAt: key.expiresAt }, lastNotice: toNotice(document) };
      }
    },

    async saveExpiryNotice({ key, lastNotice }, { expiresAt, days }, audit) {
      const result = await model.updateOne(
        {
          ...unchangedSince(key),
          'expiry_notice.expires_at': lastNotice?.expiresAt ?? null,
          'expiry_notice.days': lastNotice?.days ?? null,
        },
        { $set: { expiry_notice: { expires_at: expiresAt, days } }, $push: { outbox: audit } },
      );
      return result.matchedCount === 1;
    },

    async findOfAllTeams(lookupIds) {
      const documents = await model.find({ lookup_id: { $in: lookupIds } }).lean();
      return documents.map(toApiKey);
    },

    async listLookupIdsOfAllTeams(after, limit) {
      const documents = await model
        .find({ lookup_id: { $gt: after } }, { lookup_id: 1 })
        .sort({ lookup_id: 1 })
        .limit(limit)
        .lean();
      return documents.map((document) => document.lookup_id);
    },

    async findRemovableOfAllTeams(applicationIds, limit) {
      const filter = { application_id: { $in: applicationIds }, outbox: { $size: 0 } };
      return (await model.find(filter).limit(limit).lean()).map(toApiKey);
    },

    async removeOfAllTeams(keyIds) {
      await model.deleteMany({ _id: { $in: keyIds }, outbox: { $size: 0 } });
    },

    async raiseVersionOfAnyTeam(lookupId, version) {
      await model.updateOne({ lookup_id: lookupId, version: { $lt: version } }, { $set: { version } });
    },
  };
}

/** Null if no rotation is between its two writes. */
function toRotation(document: ApiKeyDocument): Rotation | null {
  if (!document.successor) return null;
  return { old: toApiKey(document), successor: toApiKey(document.successor) };
}

function toNotice({ expiry_notice: notice }: ApiKeyDocument): ExpiryNotice | null {
  return notice ? { expiresAt: notice.expires_at, days: notice.days } : null;
}

function unchangedSince(key: ApiKey) {
  return { _id: key.id, application_id: key.applicationId, team_id: key.teamId, version: key.version };
}

/** The condition of `statusOf`. */
function hasStatus(status: ApiKeyStatus, now: Date) {
  if (status === 'revoked') return { revoked_at: { $ne: null } };
  return status === 'active' ? activeAt(now) : { revoked_at: null, expires_at: { $lte: now } };
}

function activeAt(now: Date) {
  return { revoked_at: null, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
}
