import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { ApprovalPolicy, ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** The policy of a team that changed it at least once, as stored. */
interface PolicyDocument {
  /** The id of the team. */
  _id: string;
  team_id: string;
  thresholds: ApprovalThreshold[];
  version: number;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once the audit log has them. */
  outbox: SignedAuditEntry[];
}

/** Name of the collection, one of the service's audited ones. */
export const APPROVAL_POLICIES = 'approval_policies';
export const APPROVAL_POLICY_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

/** The policy of a team that never changed it. It is not stored. */
const DEFAULT_POLICY: ApprovalPolicy = { thresholds: [], version: 1 };

export type PolicyStore = ReturnType<typeof createPolicyStore>;

export function createPolicyStore(connection: Connection) {
  const collection = connection.collection<PolicyDocument>(APPROVAL_POLICIES);

  return {
    async find(teamId: string): Promise<ApprovalPolicy> {
      const document = await collection.findOne({ _id: teamId, team_id: teamId });
      return document ? { thresholds: document.thresholds, version: document.version } : DEFAULT_POLICY;
    },

    /** Stores a change with its audit entry. False when the policy changed since `before` was read. */
    async replace(
      teamId: string,
      before: ApprovalPolicy,
      { thresholds, version }: ApprovalPolicy,
      { at, audit }: { at: Date; audit: SignedAuditEntry },
    ): Promise<boolean> {
      if (before.version === DEFAULT_POLICY.version) {
        return wroteUnlessDuplicate(
          collection.insertOne({
            _id: teamId,
            team_id: teamId,
            thresholds,
            version,
            updated_at: at,
            outbox: [audit],
          }),
        );
      }
      const { matchedCount } = await collection.updateOne(
        { _id: teamId, team_id: teamId, version: before.version },
        { $set: { thresholds, version, updated_at: at }, $push: { outbox: audit } },
      );
      return matchedCount === 1;
    },
  };
}
