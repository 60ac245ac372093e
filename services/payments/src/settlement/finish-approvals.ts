import type { Logger } from '@tollgate/runtime/logger';
import type { ApprovalDocument } from '../approval/approval-request.ts';
import type { ApprovalStore } from '../approval/approval-store.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { LEASE_MS } from '../processing/claim.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import { type EndPaymentDeps, settle } from './end-payment.ts';

/** The rest is left to the next pass. */
const BATCH_SIZE = 100;

export type FinishApprovalsDeps = EndPaymentDeps & {
  approvals: ApprovalStore;
  seals: Pick<HistorySeals, 'isDecision'>;
  logger: Logger;
};

/**
 * Completes approved requests that a crash interrupted: settles the payment as the approver decided, and removes the text of
 * the failure once the payment has ended. Any number of instances may do this at once: each claims a request for a while, and
 * the settlement has its own claim.
 */
export async function finishApprovals(deps: FinishApprovalsDeps): Promise<void> {
  for (let count = 0; count < BATCH_SIZE; count += 1) {
    const nowMs = deps.clock.now();
    // One that cannot be finished now is due again later, so that it does not delay the others.
    const request = await deps.approvals.claimDue(new Date(nowMs), new Date(nowMs + LEASE_MS));
    if (!request) return;
    if (await hasEnded(deps, request)) await deps.approvals.finish(request);
  }
}

/** Settles the payment if that is possible. Whether it has ended, in this way or another. */
async function hasEnded(deps: FinishApprovalsDeps, request: ApprovalDocument): Promise<boolean> {
  const payment = await deps.store.findOfTeam(request.team_id, request.payment_id);
  if (!payment || isFinal(payment.status)) return true;
  // A worker finishes a decision that the payment contains.
  if (payment.settlement.decision || !deps.verified.isVerified(payment)) return false;
  return (await settleAsApproved(deps, payment, request)) !== null;
}

/** Null when the approval fails verification, or the payment changed since it was read. */
async function settleAsApproved(
  deps: FinishApprovalsDeps,
  payment: PaymentDocument,
  { outcome, settlement }: ApprovalDocument,
): Promise<PaymentDocument | null> {
  if (!settlement) return null;
  const { cause, request_id, seal } = settlement;
  const decision = { outcome, cause, request_id };
  if (deps.seals.isDecision(payment, decision, seal)) return settle(deps, payment, decision);
  deps.logger.error(
    { payment_id: payment._id },
    'the approval of a settlement failed its integrity check; the payment is not settled',
  );
  return null;
}
