import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { Signer } from '@tollgate/security/signature';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import { type ApprovalDocument, approvalEntry } from './approval-request.ts';
import type { ApprovalStore } from './approval-store.ts';

const BATCH_SIZE = 100;

export interface ExpireRequestsDeps {
  approvals: ApprovalStore;
  audit: Pick<AuditOutbox, 'enqueue'>;
  signer: Signer;
  clock: Clock;
}

/** Any number of instances may do this at once: each expiry is one conditional write with its audit entry. */
export async function expireRequests(deps: ExpireRequestsDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const request of await deps.approvals.findExpired(now, BATCH_SIZE)) await expire(deps, request);
}

/** Expires a request whose time is over. One that was decided stays. */
export async function expire(
  { approvals, audit, signer, clock }: ExpireRequestsDeps,
  request: ApprovalDocument,
): Promise<void> {
  const at = new Date(clock.now());
  const entry = signAuditEntry(
    signer,
    approvalEntry('payment.settlement_request_expired', request, { actor: null, at }),
  );
  if (await approvals.expire(request, at, entry)) audit.enqueue([auditMessage(request._id, entry)]);
}
