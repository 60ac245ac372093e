import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import type { listApplications } from '@tollgate/contracts/applications/rpc';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import { type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { insertInSlot } from '@tollgate/store/slots';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { Static } from 'typebox';
import { containsText } from '../contains-text.ts';
import { type Application, applicationSchema } from './application.ts';

export const APPLICATION_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: -1 }, purpose: 'Applications of a team, newest first' },
  {
    key: { team_id: 1, slot: 1 },
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
    purpose: 'Keeps the number of applications of a team at its limit',
  },
  { key: { team_id: 1, labels: 1, _id: -1 }, purpose: 'Applications of a team with a label' },
  OUTBOX_INDEX,
];

/** Members do not see deleted applications. */
export const EXISTS = { deleted_at: null } as const;

/** Selects applications of a team. An absent field selects all. */
type ApplicationFilter = Pick<Static<typeof listApplications.request>, 'name' | 'label' | 'status'>;

export type ApplicationStore = ReturnType<typeof createApplicationStore>;

export function createApplicationStore(connection: Connection) {
  const model = connection.model<Application>('Application', applicationSchema);
  const records: AuditedRecords<Application> = { model, noun: 'application' };

  return {
    ...records,

    /** Inserts an application into a free slot of its team. False when the team has the maximum number of applications. */
    insertInSlot: (team_id: string, insert: (slot: number) => Promise<unknown>): Promise<boolean> =>
      insertInSlot({
        max: APPLICATION_LIMITS.applicationsPerTeam,
        async takenSlots() {
          const found = await model.find({ team_id, ...EXISTS }, { slot: 1 }).lean();
          return found.flatMap(({ slot }) => slot ?? []);
        },
        insert,
      }),

    find: async (team_id: string, _id: string): Promise<Application | null> =>
      model.findOne({ _id, team_id, ...EXISTS }).lean<Application>(),

    list(team_id: string, { name, label, status }: ApplicationFilter, request: PageRequest) {
      return readPage(request, ({ filter, sort, limit }) =>
        model
          .find({
            team_id,
            ...EXISTS,
            ...(name !== undefined && { name: containsText(name) }),
            ...(label !== undefined && { labels: label }),
            ...(status && { status }),
            ...filter,
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean<Application[]>(),
      );
    },

    /** Only for the projection, which serves every team. */
    findOfAllTeams: async (applicationIds: string[]): Promise<Application[]> =>
      model.find({ _id: { $in: applicationIds } }).lean<Application[]>(),

    async listDeletedIdsOfAllTeams(): Promise<string[]> {
      const found = await model.find({ deleted_at: { $gt: new Date(0) } }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },

    /** Removes the documents of applications that were deleted by this time, once the audit log has all their entries. */
    async removeDeletedOfAllTeams(until: Date): Promise<void> {
      await model.deleteMany({ deleted_at: { $gt: new Date(0), $lte: until }, outbox: { $size: 0 } });
    },

    /** Only for the projection: at most `limit` ids in order, after `after`. */
    async listIdsOfAllTeams(after: string, limit: number): Promise<string[]> {
      const found = await model
        .find({ _id: { $gt: after } }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(({ _id }) => _id);
    },

    /** Only for the projection: raises the version to at least this one. */
    async raiseVersionOfAnyTeam(_id: string, version: number): Promise<void> {
      await model.updateOne({ _id, version: { $lt: version } }, { $set: { version } });
    },
  };
}
