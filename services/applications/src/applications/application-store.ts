import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import type { IdempotencyKeyRequirement } from '@tollgate/contracts/applications/idempotency-key-requirement';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { insertInSlot } from '@tollgate/store/slots';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import { type Connection, Schema } from 'mongoose';
import { containsText } from '../contains-text.ts';
import type { Application, ApplicationStatus, Limits } from './application.ts';
import { labelsOf, labelTexts } from './label-texts.ts';

/** An application as stored in the collection `applications`. */
interface ApplicationDocument {
  _id: string;
  team_id: string;
  name: string;
  status: ApplicationStatus;
  scopes: Scope[];
  limits: Limits;
  /** `<key>:<value>`, which one index serves for every key. */
  labels: string[];
  require_idempotency_key: IdempotencyKeyRequirement;
  /** Keeps the number of the team's applications at its limit. Absent once the application is deleted. */
  slot?: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

/** Selects applications of a team. An absent field selects all. */
export interface ApplicationFilter {
  /** Part of the name, in any case. */
  name?: string | undefined;
  /** `<key>:<value>` */
  label?: string | undefined;
  status?: ApplicationStatus | undefined;
}

/** Methods for members ignore deleted applications. */
export interface ApplicationStore {
  /** False when the team has the maximum number of applications. */
  insert(application: Application, audit: SignedAuditEntry): Promise<boolean>;
  find(teamId: string, applicationId: string): Promise<Application | null>;
  list(teamId: string, filter: ApplicationFilter, request: PageRequest): Promise<Page<Application>>;
  /** Stores a change with its audit entry. False when the application changed since `before` was read. */
  replace(before: Application, after: Application, audit: SignedAuditEntry): Promise<boolean>;
  /** Only for the projection, which serves every team. */
  findOfAllTeams(applicationIds: string[]): Promise<Application[]>;
  listDeletedIdsOfAllTeams(): Promise<string[]>;
  /** Removes the documents of applications that were deleted by this time, once the audit log has all their entries. */
  removeDeletedOfAllTeams(until: Date): Promise<void>;
  /** Only for the projection: at most `limit` ids in order, after `after`. */
  listIdsOfAllTeams(after: string, limit: number): Promise<string[]>;
  /** Only for the projection: raises the version to at least this one. */
  raiseVersionOfAnyTeam(applicationId: string, version: number): Promise<void>;
}

const schema = new Schema<ApplicationDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    name: { type: String, required: true },
    status: { type: String, required: true },
    scopes: { type: [String], required: true },
    limits: { type: Schema.Types.Mixed, required: true },
    labels: { type: [String], required: true },
    require_idempotency_key: { type: Schema.Types.Mixed, required: true },
    slot: { type: Number },
    version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
    deleted_at: { type: Date, default: null },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'applications', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

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

const EXISTS = { deleted_at: null } as const;

export function createApplicationStore(connection: Connection): ApplicationStore {
  const model = connection.model<ApplicationDocument>('Application', schema);

  return {
    insert: (application, audit) =>
      insertInSlot({
        max: APPLICATION_LIMITS.applicationsPerTeam,
        async takenSlots() {
          const documents = await model.find({ team_id: application.teamId, ...EXISTS }, { slot: 1 }).lean();
          return documents.flatMap(({ slot }) => slot ?? []);
        },
        async insert(slot) {
          await model.create([{ ...toDocument(application, [audit]), slot }]);
        },
      }),

    async find(teamId, applicationId) {
      const document = await model.findOne({ _id: applicationId, team_id: teamId, ...EXISTS }).lean();
      return document && toApplication(document);
    },

    list(teamId, { name, label, status }, request) {
      return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
        const documents = await model
          .find({
            team_id: teamId,
            ...EXISTS,
            ...(name !== undefined && { name: containsText(name) }),
            ...(label !== undefined && { labels: label }),
            ...(status && { status }),
            ...filter,
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean();
        return documents.map(toApplication);
      });
    },

    async replace(before, after, audit) {
      const result = await model.updateOne(
        { _id: before.id, team_id: before.teamId, version: before.version },
        {
          $set: {
            name: after.name,
            status: after.status,
            scopes: [...after.scopes],
            limits: after.limits,
            labels: labelTexts(after.labels),
            require_idempotency_key: after.requireIdempotencyKey,
            version: after.version,
            updated_at: after.updatedAt,
            deleted_at: after.deletedAt,
          },
          ...(after.deletedAt !== null && { $unset: { slot: true } }),
          $push: { outbox: audit },
        },
      );
      return result.matchedCount === 1;
    },

    async findOfAllTeams(applicationIds) {
      const documents = await model.find({ _id: { $in: applicationIds } }).lean();
      return documents.map(toApplication);
    },

    async listDeletedIdsOfAllTeams() {
      const documents = await model.find({ deleted_at: { $gt: new Date(0) } }, { _id: 1 }).lean();
      return documents.map(({ _id }) => _id);
    },

    async removeDeletedOfAllTeams(until) {
      await model.deleteMany({ deleted_at: { $gt: new Date(0), $lte: until }, outbox: { $size: 0 } });
    },

    async listIdsOfAllTeams(after, limit) {
      const documents = await model
        .find({ _id: { $gt: after } }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return documents.map((document) => document._id);
    },

    async raiseVersionOfAnyTeam(applicationId, version) {
      await model.updateOne({ _id: applicationId, version: { $lt: version } }, { $set: { version } });
    },
  };
}

function toDocument(application: Application, outbox: SignedAuditEntry[]): ApplicationDocument {
  return {
    _id: application.id,
    team_id: application.teamId,
    name: application.name,
    status: application.status,
    scopes: [...application.scopes],
    limits: application.limits,
    labels: labelTexts(application.labels),
    require_idempotency_key: application.requireIdempotencyKey,
    version: application.version,
    created_at: application.createdAt,
    updated_at: application.updatedAt,
    deleted_at: application.deletedAt,
    outbox,
  };
}

function toApplication(document: ApplicationDocument): Application {
  return {
    id: document._id,
    teamId: document.team_id,
    name: document.name,
    status: document.status,
    scopes: document.scopes,
    limits: document.limits,
    labels: labelsOf(document.labels),
    requireIdempotencyKey: document.require_idempotency_key,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    deletedAt: document.deleted_at,
  };
}
