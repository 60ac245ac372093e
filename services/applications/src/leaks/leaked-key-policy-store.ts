import type { LeakedKeyPolicyName } from '@tollgate/contracts/applications/leak';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import { defaultLeakedKeyPolicy, type LeakedKeyPolicy } from './leaked-key-policy.ts';

/** The policy of a team that changed it at least once, as stored in the collection `leaked_key_policies`. */
interface LeakedKeyPolicyDocument {
  /** The id of the team: a team has one policy. */
  _id: string;
  team_id: string;
  policy: LeakedKeyPolicyName;
  version: number;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

export interface LeakedKeyPolicyStore {
  find(teamId: string): Promise<LeakedKeyPolicy>;
  /** Stores a change with its audit entry. False when the policy changed since `before` was read. */
  replace(before: LeakedKeyPolicy, after: LeakedKeyPolicy, audit: SignedAuditEntry): Promise<boolean>;
}

const schema = new Schema<LeakedKeyPolicyDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    policy: { type: String, required: true },
    version: { type: Number, required: true },
    updated_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
  },
  {
    collection: 'leaked_key_policies',
    versionKey: false,
    minimize: false,
    strict: 'throw',
    autoCreate: false,
  },
);

export const LEAKED_KEY_POLICY_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

export function createLeakedKeyPolicyStore(connection: Connection): LeakedKeyPolicyStore {
  const model = connection.model<LeakedKeyPolicyDocument>('LeakedKeyPolicy', schema);

  async function insert({ teamId, policy, version, updatedAt }: LeakedKeyPolicy, audit: SignedAuditEntry) {
    const stored = { _id: teamId, team_id: teamId, policy, version, updated_at: updatedAt };
    return wroteUnlessDuplicate(model.create([{ ...stored, outbox: [audit] }]));
  }

  return {
    async find(teamId) {
      const document = await model.findOne({ _id: teamId, team_id: teamId }).lean();
      if (!document) return defaultLeakedKeyPolicy(teamId);
      const { policy, version, updated_at: updatedAt } = document;
      return { teamId, policy, version, updatedAt };
    },

    async replace(before, after, audit) {
      const { teamId } = before;
      if (before.version === defaultLeakedKeyPolicy(teamId).version) return insert(after, audit);
      const result = await model.updateOne(
        { _id: teamId, team_id: teamId, version: before.version },
        {
          $set: { policy: after.policy, version: after.version, updated_at: after.updatedAt },
          $push: { outbox: audit },
        },
      );
      return result.matchedCount === 1;
    },
  };
}
