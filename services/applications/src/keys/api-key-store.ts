import type { ApiKeyStatus } from '@tollgate/contracts/applications/application';
import type { listKeys } from '@tollgate/contracts/applications/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { FIRST_EXPIRY_NOTICE_MS } from '@tollgate/contracts/platform/expiry';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { Static } from 'typebox';
import { containsText } from '../contains-text.ts';
import { type ApiKey, apiKeySchema } from './api-key.ts';

/** Matches rotations between their two writes; the same condition makes the index partial. */
const HAS_SUCCESSOR = { 'successor._id': { $gt: '' } } as const;
/** Few keys expire, and fewer of them soon. */
const EXPIRING_INDEX = { team_id: 1, expires_at: 1 } as const;
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

/** Selects keys of a team. An absent field selects all. */
type KeyFilter = Omit<Static<typeof listKeys.request>, 'environment'> & {
  environment: Environment | undefined;
};

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

export function createApiKeyStore(connection: Connection) {
  const model = connection.model<ApiKey>('ApiKey', apiKeySchema);
  const records: AuditedRecords<ApiKey> = { model, noun: 'API key' };

  return {
    ...records,

    find: async (team_id: string, _id: string): Promise<ApiKey | null> =>
      model.findOne({ _id, team_id }).lean<ApiKey>(),

    /** `now` decides which keys are expired. */
    list(team_id: string, filter: KeyFilter, request: PageRequest, now: Date) {
      const { application_id, environment, status, name, lookup_id, leak, expires_before } = filter;
      return readPage(request, ({ filter, sort, limit }) => {
        const found = model
          .find({
            team_id,
            ...(application_id !== undefined && { application_id }),
            ...(environment && { environment }),
            ...(name !== undefined && { name: containsText(name) }),
            // Every lookup id that begins like this: base62 has no greater character than `z`.
            ...(lookup_id !== undefined && { lookup_id: { $gte: lookup_id, $lt: `${lookup_id}{` } }),
            ...(status && hasStatus(status, now)),
            ...(leak && { 'leak.at': { $ne: null }, 'leak.handled_at': null }),
            ...(expires_before !== undefined && {
              $and: [{ revoked_at: null, expires_at: { $gt: now, $lt: new Date(expires_before) } }],
            }),
            ...filter,
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean<ApiKey[]>();
        return expires_before === undefined ? found : found.hint(EXPIRING_INDEX);
      });
    },

    /** Counts active keys that no rotation is replacing. */
    countActive: (team_id: string, application_id: string, now: Date) =>
      model.countDocuments({ application_id, team_id, rotated_to: null, ...activeAt(now) }),

    async hasActiveLiveKey(team_id: string, application_id: string, now: Date): Promise<boolean> {
      const live = { application_id, team_id, environment: 'live' as const };
      return (await model.exists({ ...live, ...activeAt(now) })) !== null;
    },

    /**
     * The second write of a rotation: inserts the successor, which the first write stored inside the old key, as its own document.
     * Safe to repeat.
     */
    async completeRotation({ _id, team_id, successor }: ApiKey): Promise<void> {
      if (!successor) return;
      const isNew = await wroteUnlessDuplicate(model.create([successor]));
      if (!isNew && !(await model.exists({ _id: successor._id, team_id })))
        throw new Error(`The id or the lookup id of the key ${successor._id} is that of another key.`);
      await model.updateOne({ _id, team_id }, { $unset: { successor: true } });
    },

    /** The key that is between the two writes of a rotation to this successor. */
    findRotating: async (team_id: string, successorId: string): Promise<ApiKey | null> =>
      model.findOne({ 'successor._id': successorId, team_id }).lean<ApiKey>(),

    /** Keys of every team that a crash left between the two writes of a rotation. */
    findAllRotating: async (limit: number): Promise<ApiKey[]> =>
      model.find(HAS_SUCCESSOR).limit(limit).lean<ApiKey[]>(),

    /** Keys in use that expire before the first notice would be early, soonest first. */
    findExpiringOfAllTeams(now: Date): AsyncIterable<ApiKey> {
      const until = new Date(now.getTime() + FIRST_EXPIRY_NOTICE_MS);
      return model
        .find({ expires_at: { $gt: now, $lte: until }, revoked_at: null, rotated_to: null })
        .sort({ expires_at: 1 })
        .lean<ApiKey>()
        .cursor();
    },

    /** Only for the projection and for reports of leaks, which serve every team. */
    findOfAllTeams: async (lookupIds: string[]): Promise<ApiKey[]> =>
      model.find({ lookup_id: { $in: lookupIds } }).lean<ApiKey[]>(),

    /** Only for the projection: at most `limit` lookup ids in order, after `after`. */
    async listLookupIdsOfAllTeams(after: string, limit: number): Promise<string[]> {
      const found = await model
        .find({ lookup_id: { $gt: after } }, { lookup_id: 1 })
        .sort({ lookup_id: 1 })
        .limit(limit)
        .lean();
      return found.map(({ lookup_id }) => lookup_id);
    },

    /** Keys of these applications of any team, without those that have audit entries to confirm. */
    findRemovableOfAllTeams: async (applicationIds: string[], limit: number): Promise<ApiKey[]> =>
      model
        .find({ application_id: { $in: applicationIds }, outbox: { $size: 0 } })
        .limit(limit)
        .lean<ApiKey[]>(),

    async removeOfAllTeams(keyIds: string[]): Promise<void> {
      await model.deleteMany({ _id: { $in: keyIds }, outbox: { $size: 0 } });
    },

    /** Only for the projection: raises the version to at least this one. */
    async raiseVersionOfAnyTeam(lookup_id: string, version: number): Promise<void> {
      await model.updateOne({ lookup_id, version: { $lt: version } }, { $set: { version } });
    },
  };
}

/** The condition of `statusOf`. */
function hasStatus(status: ApiKeyStatus, now: Date) {
  if (status === 'revoked') return { revoked_at: { $ne: null } };
  return status === 'active' ? activeAt(now) : { revoked_at: null, expires_at: { $lte: now } };
}

function activeAt(now: Date) {
  return { revoked_at: null, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
}
