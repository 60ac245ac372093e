import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { AUDITED_FIELDS, listOf, RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';

/** Name of the collection, one of the service's audited ones. */
export const APPROVAL_POLICIES = 'approval_policies';
export const APPROVAL_POLICY_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

const { created_at: _, ...AUDITED } = AUDITED_FIELDS;

const definition = {
  /** The id of the team: a team has one policy. */
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  thresholds: listOf<ApprovalThreshold>(),
  ...AUDITED,
} as const;

/** Above which amounts the settlement of a live payment requires a second member. */
export type ApprovalPolicy = InferRawDocType<typeof definition>;

const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: APPROVAL_POLICIES });

export function createPolicyStore(connection: Connection) {
  const model = connection.model<ApprovalPolicy>('ApprovalPolicy', schema);
  const records: AuditedRecords<ApprovalPolicy> = { model, noun: 'approval policy', initial };
  return {
    ...records,
    find: async (team_id: string): Promise<ApprovalPolicy> =>
      (await model.findOne({ _id: team_id, team_id }).lean<ApprovalPolicy>()) ?? initial(team_id),
  };
}

/** Version 1 is the default, which is not stored. */
function initial(team_id: string): ApprovalPolicy {
  return { _id: team_id, team_id, thresholds: [], version: 1, updated_at: new Date(0), outbox: [] };
}

/** Whether the team's policy requires a second member for the settlement of a payment. */
export function needsApproval(
  { thresholds }: ApprovalPolicy,
  { environment, amount, currency }: PaymentDocument,
): boolean {
  if (environment !== 'live') return false;
  return thresholds.some((threshold) => threshold.currency === currency && amount > threshold.amount);
}
