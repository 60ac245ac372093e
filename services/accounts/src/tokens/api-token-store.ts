import { FIRST_EXPIRY_NOTICE_MS } from '@tollgate/contracts/platform/expiry';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import { type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import type { Member } from '../members/member.ts';
import { type ApiToken, apiTokenSchema } from './api-token.ts';

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

export function createApiTokenStore(connection: Connection) {
  const model = connection.model<ApiToken>('ApiToken', apiTokenSchema);
  const records: AuditedRecords<ApiToken> = { model, noun: 'API token' };

  function countActive(filter: Partial<ApiToken>, now: Date): Promise<number> {
    const inTime = { $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
    return model.countDocuments({ ...filter, revoked_at: null, ...inTime });
  }

  return {
    ...records,

    /** Searches all teams for the token with this lookup id. */
    findByLookupId: async (lookup_id: string): Promise<ApiToken | null> =>
      model.findOne({ lookup_id }).lean<ApiToken>(),

    find: async (team_id: string, _id: string): Promise<ApiToken | null> =>
      model.findOne({ _id, team_id }).lean<ApiToken>(),

    /** With `acts_for`, only those that act for this member. */
    list: (team_id: string, request: PageRequest, ofMember: { acts_for?: string }) =>
      readPage(request, ({ filter, sort, limit }) =>
        model
          .find({ team_id, ...ofMember, ...filter })
          .sort(sort)
          .limit(limit)
          .lean<ApiToken[]>(),
      ),

    /** The team's tokens that tokens created. */
    listCreatedByTokens: async (team_id: string): Promise<ApiToken[]> =>
      model.find({ team_id, created_by_token: { $ne: null } }).lean<ApiToken[]>(),

    /** Without those of logins, and those that were rotated. */
    countActive: (team_id: string, now: Date) =>
      countActive({ team_id, acts_for: null, rotated_to: null }, now),

    /** Counts only logins of the member's given session epoch. */
    countActiveLogins: ({ team_id, _id, session_epoch }: Member, now: Date) =>
      countActive({ team_id, acts_for: _id, session_epoch }, now),

    /** Records a use, unless a later one is already recorded. */
    async touch({ _id, team_id }: ApiToken, at: Date): Promise<void> {
      await model.updateOne(
        { _id, team_id, $or: [{ last_used_at: null }, { last_used_at: { $lt: at } }] },
        { $set: { last_used_at: at } },
      );
    },

    /** Tokens in use that expire before the first notice would be early, soonest first. Without those of logins, and those that were rotated. */
    findExpiringOfAllTeams(now: Date): AsyncIterable<ApiToken> {
      const until = new Date(now.getTime() + FIRST_EXPIRY_NOTICE_MS);
      return model
        .find({ expires_at: { $gt: now, $lte: until }, revoked_at: null, acts_for: null, rotated_to: null })
        .sort({ expires_at: 1 })
        .lean<ApiToken>()
        .cursor();
    },
  };
}
