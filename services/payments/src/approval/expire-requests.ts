import { recordAudited } from '@tollgate/store/audited-records';
import type { Context } from '../context.ts';
import { type ApprovalDocument, approvalEntry, withoutText } from './approval-request.ts';
import { OPEN } from './approval-store.ts';

const BATCH_SIZE = 100;

/** Any number of instances may do this at once: each expiry is one conditional write with its audit entry. */
export async function expireRequests(context: Context): Promise<void> {
  const now = new Date(context.clock.now());
  for (const request of await context.approvals.findExpired(now, BATCH_SIZE)) await expire(context, request);
}

/** Expires a request whose time is over. One that was decided stays. */
export async function expire(context: Context, request: ApprovalDocument): Promise<void> {
  const at = new Date(context.clock.now());
  const { _id, team_id, outcome } = request;
  const expired = { _id, team_id, ...OPEN, expires_at: { $lte: at } };
  const entry = approvalEntry('payment.settlement_request_expired', request, { actor: null, at });
  const set = { status: 'expired', outcome: withoutText(outcome) } as const;
  await recordAudited(context, context.approvals, expired, entry, set);
}
