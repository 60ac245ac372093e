import { leaseTimes } from '@tollgate/store/lease';
import type { ApprovalDocument } from '../approval/approval-request.ts';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { LEASE_MS } from '../processing/claim.ts';
import { settle } from './end-payment.ts';

/** The rest is left to the next pass. */
const BATCH_SIZE = 100;

/**
 * Completes approved requests that a crash interrupted: settles the payment as the approver decided, and removes the text of
 * the failure once the payment has ended. Any number of instances may do this at once: each claims a request for a while, and
 * the settlement has its own claim.
 */
export async function finishApprovals(context: Context): Promise<void> {
  for (let count = 0; count < BATCH_SIZE; count += 1) {
    // One that cannot be finished now is due again later, so that it does not delay the others.
    const request = await context.approvals.claimDue(leaseTimes(context.clock, LEASE_MS));
    if (!request) return;
    if (await hasEnded(context, request)) await context.approvals.finish(request);
  }
}

/** Settles the payment if that is possible. Whether it has ended, in this way or another. */
async function hasEnded(context: Context, request: ApprovalDocument): Promise<boolean> {
  const payment = await context.store.findOfTeam(request.team_id, request.payment_id);
  if (!payment || isFinal(payment.status)) return true;
  // A worker finishes a decision that the payment contains.
  if (payment.settlement.decision || !context.verified.isVerified(payment)) return false;
  return (await settleAsApproved(context, payment, request)) !== null;
}

/** Null when the approval fails verification, or the payment changed since it was read. */
async function settleAsApproved(
  context: Context,
  payment: PaymentDocument,
  { outcome, settlement }: ApprovalDocument,
): Promise<PaymentDocument | null> {
  if (!settlement) return null;
  const { cause, request_id, seal } = settlement;
  const decision = { outcome, cause, request_id };
  if (context.seals.isDecision(payment, decision, seal)) return settle(context, payment, decision);
  context.logger.error(
    { payment_id: payment._id },
    'the approval of a settlement failed its integrity check; the payment is not settled',
  );
  return null;
}
