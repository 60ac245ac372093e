import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { KeysetQuery } from '@tollgate/store/keyset-page';
import { createLeases, type LeaseTimes } from '@tollgate/store/lease';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { APPROVAL_REQUESTS, type ApprovalDocument, approvalSchema, withoutText } from './approval-request.ts';

export const OPEN = { status: 'open' } as const;

export const APPROVAL_REQUEST_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: -1 }, purpose: 'Requests of a team, newest first' },
  { key: { team_id: 1, status: 1, _id: -1 }, purpose: 'Open requests of a team' },
  { key: { payment_id: 1, _id: -1 }, purpose: 'Requests of a payment, newest first' },
  {
    key: { payment_id: 1 },
    name: 'open',
    unique: true,
    partialFilterExpression: OPEN,
    purpose: 'One open request of a payment at a time',
  },
  {
    key: { expires_at: 1 },
    partialFilterExpression: OPEN,
    purpose: 'Expiry: open requests by time',
  },
  {
    key: { 'settlement.due_at': 1 },
    partialFilterExpression: { 'settlement.due_at': { $exists: true } },
    purpose: 'Approved requests whose payment may not have ended, by time',
  },
  OUTBOX_INDEX,
];

export function createApprovalStore(connection: Connection) {
  const model = connection.model<ApprovalDocument>('ApprovalRequest', approvalSchema);
  const leases = createLeases<ApprovalDocument>(connection.collection(APPROVAL_REQUESTS), {
    until: 'settlement.due_at',
  });

  return {
    model,

    find: async (team_id: string, _id: string) => model.findOne({ _id, team_id }).lean<ApprovalDocument>(),

    findOpen: async (team_id: string, payment_id: string) =>
      model.findOne({ team_id, payment_id, ...OPEN }).lean<ApprovalDocument>(),

    list: async (
      team_id: string,
      { payment_id, status }: { payment_id?: string; status?: ApprovalDocument['status'] },
      { filter, sort, limit }: KeysetQuery,
    ) =>
      model
        .find({ team_id, ...(payment_id && { payment_id }), ...(status && { status }), ...filter })
        .sort(sort)
        .limit(limit)
        .maxTimeMS(QUERY_TIME_MS)
        .lean<ApprovalDocument[]>(),

    /** Used by background work over all teams: one whose settlement is due, which no other instance gets before its lease ends. */
    claimDue: (times: LeaseTimes) => leases.acquire({}, times, { sort: { 'settlement.due_at': 1 } }),

    /** The payment has ended, with the text of its failure. An erasure of the payment must find no other copy. */
    async finish({ _id, team_id, outcome }: ApprovalDocument): Promise<void> {
      const change = { $set: { outcome: withoutText(outcome) }, $unset: { settlement: 1 } } as const;
      await model.updateOne({ _id, team_id }, change);
    },

    /** Used by background work over all teams: open requests that have expired. */
    findExpired: async (now: Date, limit: number) =>
      model
        .find({ ...OPEN, expires_at: { $lte: now } })
        .sort({ expires_at: 1 })
        .limit(limit)
        .lean<ApprovalDocument[]>(),
  };
}
