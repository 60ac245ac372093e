import { DEFAULT_LEAKED_KEY_POLICY, type LeakedKeyPolicyName } from '@tollgate/contracts/applications/leak';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { AUDITED_FIELDS, RECORD_OPTIONS, textOf } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

const { created_at: _, ...AUDITED } = AUDITED_FIELDS;

const definition = {
  /** The id of the team: a team has one policy. */
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  policy: textOf<LeakedKeyPolicyName>(),
  ...AUDITED,
} as const;

/** What happens to a key of the team when a secret scanner finds it in public. */
export type LeakedKeyPolicy = InferRawDocType<typeof definition>;

const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'leaked_key_policies' });

export const LEAKED_KEY_POLICY_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

export function createLeakedKeyPolicyStore(connection: Connection) {
  const model = connection.model<LeakedKeyPolicy>('LeakedKeyPolicy', schema);
  const records: AuditedRecords<LeakedKeyPolicy> = { model, noun: 'policy for leaked keys', initial };
  return {
    ...records,
    find: async (team_id: string): Promise<LeakedKeyPolicy> =>
      (await model.findOne({ _id: team_id, team_id }).lean<LeakedKeyPolicy>()) ?? initial(team_id),
  };
}

/** Version 1 is the default, which is not stored. */
function initial(team_id: string): LeakedKeyPolicy {
  const never = new Date(0);
  return {
    _id: team_id,
    team_id,
    policy: DEFAULT_LEAKED_KEY_POLICY,
    version: 1,
    updated_at: never,
    outbox: [],
  };
}

/** The same object when nothing changes. */
export function withPolicy(before: LeakedKeyPolicy, policy: LeakedKeyPolicyName, now: Date): LeakedKeyPolicy {
  if (before.policy === policy) return before;
  return { ...before, policy, version: before.version + 1, updated_at: now };
}
