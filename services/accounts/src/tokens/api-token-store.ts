import type { ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { type ExpiryNotice, FIRST_EXPIRY_NOTICE_MS } from '@tollgate/contracts/platform/expiry';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { Member } from '../members/member.ts';
import type { ApiToken, TokenLeak } from './api-token.ts';

/** An API token as stored in the collection `api_tokens`. */
interface ApiTokenDocument {
  _id: string;
  team_id: string;
  name: string;
  role: ApiTokenRole;
  environments: Environment[] | null;
  allowed_cidrs: string[];
  lookup_id: string;
  digest: string;
  created_by: string;
  created_by_token: string | null;
  acts_for: string | null;
  session_epoch: number;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  rotated_to: string | null;
  successor_expires_at: Date | null;
  leak: TokenLeak | null;
  /** The last notice that the token expires. Absent before the first notice. */
  expiry_notice?: { expires_at: Date; days: number };
  version: number;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

/** A token that expires, with the last notice of it. */
export interface ExpiringToken {
  token: ApiToken & { expiresAt: Date };
  lastNotice: ExpiryNotice | null;
}

export interface ApiTokenStore {
  insert(token: ApiToken, audit: SignedAuditEntry): Promise<void>;
  /** Searches all teams for the token with this lookup id. */
  findByLookupId(lookupId: string): Promise<ApiToken | null>;
  find(teamId: string, tokenId: string): Promise<ApiToken | null>;
  /** With `actsFor`, only those that act for this member. */
  list(
    teamId: string,
    request: PageRequest,
    filter: { actsFor: string | undefined },
  ): Promise<Page<ApiToken>>;
  /** The team's tokens that tokens created. */
  listCreatedByTokens(teamId: string): Promise<ApiToken[]>;
  /** Without those of logins, and those that were rotated. */
  countActive(teamId: string, now: Date): Promise<number>;
  /** Counts only logins of the member's given session epoch. */
  countActiveLogins(member: Pick<Member, 'team_id' | '_id' | 'session_epoch'>, now: Date): Promise<number>;
  /** Records a use, unless a later one is already recorded. */
  touch(token: ApiToken, at: Date): Promise<void>;
  /** Stores a change with its audit entry. False when the token changed since `before` was read; nothing is stored then. */
  save(before: ApiToken, after: ApiToken, audit: SignedAuditEntry): Promise<boolean>;
  /** Tokens in use that expire before the first notice would be early, soonest first. Without those of logins, and those that were rotated. */
  findExpiringOfAllTeams(now: Date): AsyncIterable<ExpiringToken>;
  /** Stores a notice with its audit entry. False when the token changed, or another instance stored one. */
  saveExpiryNotice(expiring: ExpiringToken, notice: ExpiryNotice, audit: SignedAuditEntry): Promise<boolean>;
}

const schema = new Schema<ApiTokenDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    name: { type: String, required: true },
    role: { type: String, required: true },
    environments: { type: [String], default: null },
    allowed_cidrs: { type: [String], required: true },
    lookup_id: { type: String, required: true },
    digest: { type: String, required: true },
    created_by: { type: String, required: true },
    created_by_token: { type: String, default: null },
    acts_for: { type: String, default: null },
    session_epoch: { type: Number, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, default: null },
    last_used_at: { type: Date, default: null },
    revoked_at: { type: Date, default: null },
    rotated_to: { type: String, default: null },
    successor_expires_at: { type: Date, default: null },
    leak: { type: Schema.Types.Mixed, default: null },
    expiry_notice: { type: Schema.Types.Mixed },
    version: { type: Number, required: true },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'api_tokens', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export const API_TOKEN_INDEXES: readonly IndexDeclaration[] = [
  { key: { lookup_id: 1 }, unique: true, purpose: 'Finds a token by its lookup id' },
  { key: { team_id: 1, _id: -1 }, purpose: 'Tokens of a team, newest first' },
  {
    key: { expires_at: 1 },
    partialFilterExpression: { expires_at: { $gt: new Date(0) } },
    purpose: 'Tokens of all teams that expire soon, for notices',
  },
  OUTBOX_INDEX,
];

export function createApiTokenStore(connection: Connection): ApiTokenStore {
  const model = connection.model<ApiTokenDocument>('ApiToken', schema);

  async function findOne(filter: Record<string, unknown>): Promise<ApiToken | null> {
    const document = await model.findOne(filter).lean();
    return document && toApiToken(document);
  }

  function countActive(filter: Record<string, unknown>, now: Date): Promise<number> {
    return model.countDocuments({
      ...filter,
      revoked_at: null,
      $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
    });
  }

  return {
    async insert(token, audit) {
      await model.create([toDocument(token, [audit])]);
    },

    findByLookupId: (lookupId) => findOne({ lookup_id: lookupId }),
    find: (teamId, tokenId) => findOne({ _id: tokenId, team_id: teamId }),

    list(teamId, request, { actsFor }) {
      const ofMember = actsFor === undefined ? {} : { acts_for: actsFor };
      return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
        const documents = await model
          .find({ team_id: teamId, ...ofMember, ...filter })
          .sort(sort)
          .limit(limit)
          .lean();
        return documents.map(toApiToken);
      });
    },

    async listCreatedByTokens(teamId) {
      const documents = await model.find({ team_id: teamId, created_by_token: { $ne: null } }).lean();
      return documents.map(toApiToken);
    },

    countActive: (teamId, now) => countActive({ team_id: teamId, acts_for: null, rotated_to: null }, now),
    countActiveLogins({ team_id: teamId, _id: id, session_epoch: sessionEpoch }, now) {
      return countActive({ team_id: teamId, acts_for: id, session_epoch: sessionEpoch }, now);
    },

    async touch(token, at) {
      await model.updateOne(
        { ...reference(token), $or: [{ last_used_at: null }, { last_used_at: { $lt: at } }] },
        { $set: { last_used_at: at } },
      );
    },

    async save(before, after, audit) {
      const result = await model.updateOne(
        { ...reference(before), version: before.version },
        {
          $set: {
            expires_at: after.expiresAt,
            revoked_at: after.revokedAt,
            rotated_to: after.rotatedTo,
            successor_expires_at: after.successorExpiresAt,
            leak: after.leak,
            version: after.version,
          },
          $push: { outbox: audit },
        },
      );
      return result.matchedCount === 1;
    },

    async *findExpiringOfAllTeams(now) {
      const until = new Date(now.getTime() + FIRST_EXPIRY_NOTICE_MS);
      const found = model
        .find({ expires_at: { $gt: now, $lte: until }, revoked_at: null, acts_for: null, rotated_to: null })
        .sort({ expires_at: 1 })
        .lean()
        .cursor();
      for await (const document of found) {
        const token = toApiToken(document);
        const { expiresAt } = token;
        if (expiresAt) yield { token: { ...token, expiresAt }, lastNotice: toNotice(document) };
      }
    },

    async saveExpiryNotice({ token, lastNotice }, { expires_at: expiresAt, days }, audit) {
      const result = await model.updateOne(
        {
          ...reference(token),
          version: token.version,
          'expiry_notice.expires_at': lastNotice?.expires_at ?? null,
          'expiry_notice.days': lastNotice?.days ?? null,
        },
        { $set: { expiry_notice: { expires_at: expiresAt, days } }, $push: { outbox: audit } },
      );
      return result.matchedCount === 1;
    },
  };
}

function toNotice({ expiry_notice: notice }: ApiTokenDocument): ExpiryNotice | null {
  return notice ? { expires_at: notice.expires_at, days: notice.days } : null;
}

function reference({ id, teamId }: ApiToken) {
  return { _id: id, team_id: teamId };
}

function toDocument(token: ApiToken, outbox: SignedAuditEntry[]): ApiTokenDocument {
  return {
    _id: token.id,
    team_id: token.teamId,
    name: token.name,
    role: token.role,
    environments: token.environments && [...token.environments],
    allowed_cidrs: [...token.allowedCidrs],
    lookup_id: token.lookupId,
    digest: token.digest,
    created_by: token.createdBy,
    created_by_token: token.createdByToken,
    acts_for: token.actsFor,
    session_epoch: token.sessionEpoch,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revokedAt,
    rotated_to: token.rotatedTo,
    successor_expires_at: token.successorExpiresAt,
    leak: token.leak,
    version: token.version,
    outbox,
  };
}

function toApiToken(document: ApiTokenDocument): ApiToken {
  return {
    id: document._id,
    teamId: document.team_id,
    name: document.name,
    role: document.role,
    environments: document.environments,
    allowedCidrs: document.allowed_cidrs,
    lookupId: document.lookup_id,
    digest: document.digest,
    createdBy: document.created_by,
    createdByToken: document.created_by_token,
    actsFor: document.acts_for,
    sessionEpoch: document.session_epoch,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    lastUsedAt: document.last_used_at,
    revokedAt: document.revoked_at,
    rotatedTo: document.rotated_to,
    successorExpiresAt: document.successor_expires_at,
    leak: document.leak,
    version: document.version,
  };
}
