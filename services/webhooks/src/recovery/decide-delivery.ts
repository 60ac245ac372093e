import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireRoleFor } from '../access/permissions.ts';
import { deliveryAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { findDelivery } from '../deliveries/find-delivery.ts';

/** Only a delivery that is attempted all the time loses this many races in a row. */
const MAX_ATTEMPTS = 5;

export interface DeliveryDecision {
  action: AuditAction;
  /** Completes "You cannot …". */
  what: string;
  /** Throws `conflict` when the delivery's status does not allow it. */
  decide: (
    delivery: Delivery,
    now: Date,
  ) =>
    | Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'>
    | Promise<Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'>>;
}

/**
 * Stores a member's decision about one delivery with its audit entry; decides again if the delivery changed meanwhile. An attempt
 * in flight loses its fence. Throws `not-found`, `forbidden`, `conflict`.
 */
export async function decideDelivery(
  context: Context,
  actor: Actor,
  deliveryId: string,
  { action, what, decide }: DeliveryDecision,
): Promise<Delivery> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await findDelivery(context, actor, deliveryId);
    requireRoleFor(actor, before.environment, what);
    const now = new Date(context.clock.now());
    const change = await decide(before, now);
    const audit = signAuditEntry(
      context.signer,
      deliveryAuditEntry(action, actor, before, change.status, now),
    );
    const after = await context.deliveries.decide(before, change, audit);
    if (!after) continue;
    context.audit.enqueue([auditMessage(after.id, audit)]);
    context.announce.delivery(after);
    return after;
  }
  throw new Problem('conflict', 'The delivery keeps changing. Read it again, then retry.');
}
