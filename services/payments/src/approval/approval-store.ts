import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { ActingMember } from '@tollgate/contracts/payments/settlement-approval';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { KeysetQuery } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { ApprovalDocument, ApprovedSettlement } from './approval-request.ts';

/** Name of the collection, one of the service's audited ones. */
export const APPROVAL_REQUESTS = 'approval_requests';

const OPEN = { status: 'open' } as const;

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

/** The filters of a list. */
export interface ApprovalFilters {
  payment_id?: string | undefined;
  status?: ApprovalDocument['status'] | undefined;
}

interface Decision {
  by: ActingMember;
  at: Date;
  audit: SignedAuditEntry;
}

interface Approval extends Decision {
  settlement: ApprovedSettlement;
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>;

export function createApprovalStore(connection: Connection) {
  const collection = connection.collection<ApprovalDocument>(APPROVAL_REQUESTS);

  return {
    /** False when the payment has an open request. */
    async insert(request: ApprovalDocument): Promise<boolean> {
      return wroteUnlessDuplicate(collection.insertOne(request));
    },

    async find(teamId: string, requestId: string): Promise<ApprovalDocument | null> {
      return collection.findOne({ _id: requestId, team_id: teamId });
    },

    async findOpen(teamId: string, paymentId: string): Promise<ApprovalDocument | null> {
      return collection.findOne({ team_id: teamId, payment_id: paymentId, ...OPEN });
    },

    async list(
      teamId: string,
      { payment_id, status }: ApprovalFilters,
      { filter, sort, limit }: KeysetQuery,
    ): Promise<ApprovalDocument[]> {
      return collection
        .find(
          {
            team_id: teamId,
            ...(payment_id !== undefined && { payment_id }),
            ...(status !== undefined && { status }),
            ...filter,
          },
          { sort, limit, maxTimeMS: QUERY_TIME_MS },
        )
        .toArray();
    },

    /**
     * Only the first of several decisions is stored, and never one by the requester: the condition is part of the write.
     * Null when the request is no longer open, or the member requested it.
     */
    async approve({ _id, team_id }: ApprovalDocument, approval: Approval): Promise<ApprovalDocument | null> {
      const { by, at, audit, settlement } = approval;
      return collection.findOneAndUpdate(
        { _id, team_id, ...OPEN, expires_at: { $gt: at }, 'requested_by.id': { $ne: by.id } },
        {
          $set: { status: 'approved', decided_by: by, decided_at: at, settlement },
          $push: { outbox: audit },
        },
        { returnDocument: 'after' },
      );
    },

    /** Used by background work over all teams: one whose settlement is due, which no other instance gets before `nextDueAt`. */
    async claimDue(now: Date, nextDueAt: Date): Promise<ApprovalDocument | null> {
      return collection.findOneAndUpdate(
        { 'settlement.due_at': { $lte: now } },
        { $set: { 'settlement.due_at': nextDueAt } },
        { sort: { 'settlement.due_at': 1 }, returnDocument: 'after' },
      );
    },

    /** The payment has ended, with the text of its failure. An erasure of the payment must find no other copy. */
    async finish(request: ApprovalDocument): Promise<void> {
      const { _id, team_id } = request;
      await collection.updateOne({ _id, team_id }, { $set: withoutText(request), $unset: { settlement: 1 } });
    },

    /** Null when the request is not open any more. */
    async reject(request: ApprovalDocument, { by, at, audit }: Decision): Promise<ApprovalDocument | null> {
      const { _id, team_id } = request;
      return collection.findOneAndUpdate(
        { _id, team_id, ...OPEN, expires_at: { $gt: at } },
        {
          $set: { status: 'rejected', decided_by: by, decided_at: at, ...withoutText(request) },
          $push: { outbox: audit },
        },
        { returnDocument: 'after' },
      );
    },

    /** Used by background work over all teams: open requests that have expired. */
    async findExpired(now: Date, limit: number): Promise<ApprovalDocument[]> {
      return collection
        .find({ ...OPEN, expires_at: { $lte: now } }, { sort: { expires_at: 1 }, limit })
        .toArray();
    },

    /** False when the request is not open any more. */
    async expire(request: ApprovalDocument, now: Date, audit: SignedAuditEntry): Promise<boolean> {
      const { _id, team_id } = request;
      const { matchedCount } = await collection.updateOne(
        { _id, team_id, ...OPEN, expires_at: { $lte: now } },
        { $set: { status: 'expired', ...withoutText(request) }, $push: { outbox: audit } },
      );
      return matchedCount === 1;
    },
  };
}

/** A member's words about a failure, which may contain personal data, are not kept once the request is decided. */
function withoutText({ outcome }: ApprovalDocument) {
  return outcome.status === 'failed'
    ? { 'outcome.failure.message': '' }
    : { 'outcome.status': outcome.status };
}
