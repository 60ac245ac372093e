import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireRoleFor } from '../access/permissions.ts';
import { deliveryEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Delivery, Outcome } from '../deliveries/delivery.ts';
import { requireEnabled } from '../endpoints/endpoint.ts';
import { sendNow } from '../endpoints/pending-deliveries.ts';

/** Sends the delivery again now, under the same event id, with a full retry schedule. Throws what `decideToResend` throws. */
export async function resendDelivery(context: Context, actor: Actor, deliveryId: string): Promise<Delivery> {
  const delivery = await decideToResend(context, actor, deliveryId);
  await sendNow(context, delivery);
  return delivery;
}

/**
 * Makes the delivery due now. Throws what `decideDelivery` throws, `conflict` when the endpoint is disabled or deleted, and what `check`
 * throws for the delivery as it is.
 */
export function decideToResend(
  context: Context,
  actor: Actor,
  deliveryId: string,
  check: (before: Delivery) => void = () => undefined,
): Promise<Delivery> {
  return decideDelivery(context, actor, deliveryId, {
    action: 'delivery.resent',
    what: 'resend deliveries',
    async decide(before, now) {
      check(before);
      const endpoint = await context.endpoints.find(before.team_id, before.endpoint_id);
      // Not `not-found`: the request names the delivery, which exists.
      if (!endpoint) throw new Problem('conflict', ENDPOINT_DELETED);
      requireEnabled(endpoint);
      return { status: 'pending', round_failures: 0, next_attempt_at: now };
    },
  });
}

const ENDPOINT_DELETED =
  'The endpoint of this delivery was deleted. Create another endpoint and replay the events that it missed.';

/** Cancels a pending delivery. Throws what `decideDelivery` throws, and `conflict` when it is not pending. */
export function cancelDelivery(context: Context, actor: Actor, deliveryId: string): Promise<Delivery> {
  return decideDelivery(context, actor, deliveryId, {
    action: 'delivery.canceled',
    what: 'cancel deliveries',
    decide({ status, round_failures }) {
      if (status !== 'pending')
        throw new Problem('conflict', `Only a pending delivery can be canceled. This delivery is ${status}.`);
      return { status: 'canceled', round_failures, next_attempt_at: null };
    },
  });
}

interface Decision {
  action: AuditAction;
  /** Completes "You cannot …". */
  what: string;
  decide: (delivery: Delivery, now: Date) => Outcome | Promise<Outcome>;
}

/**
 * Stores a member's decision about one delivery. An attempt in flight loses its fence. Throws `not-found`, `forbidden`, `conflict`,
 * also when the delivery's status does not allow it.
 */
async function decideDelivery(
  context: Context,
  actor: Actor,
  deliveryId: string,
  { action, what, decide }: Decision,
): Promise<Delivery> {
  const after = await changeAudited(
    context,
    context.deliveries,
    { _id: deliveryId, team_id: actor.team_id },
    async (before, now) => {
      requireRoleFor(actor, before.environment, what);
      return { ...before, ...(await decide(before, now)), fence: before.fence + 1 };
    },
    deliveryEntry(action, actorAuthor(actor), context.clock),
  );
  context.announce.delivery(after);
  return after;
}
