import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type * as contract from '@tollgate/contracts/webhooks/rpc';
import type { ResentDeliveries } from '@tollgate/contracts/webhooks/webhook';
import { recordNotFound } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { requireRoleFor } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { sendNow } from '../endpoints/pending-deliveries.ts';
import { decideToResend } from './decide-delivery.ts';

type Request = Static<typeof contract.resendDeliveries.request>;

/**
 * Resends deliveries that are not pending and still have the attempts that the member has seen. The others stay unchanged, with a reason:
 * one that cannot be resent does not keep the others from it. Throws `forbidden`.
 */
export async function resendDeliveries(
  context: Context,
  actor: Actor,
  { environment, deliveries }: Request,
): Promise<ResentDeliveries> {
  requireRoleFor(actor, environment, 'resend deliveries');
  const resent: Delivery[] = [];
  const not_resent: ResentDeliveries['not_resent'] = [];

  async function resend({ delivery_id, attempts }: Request['deliveries'][number]): Promise<void> {
    const requireUnchanged = (before: Delivery) => {
      if (before.environment !== environment) throw recordNotFound(context.deliveries, delivery_id);
      if (before.status === 'pending') throw new Problem('conflict', 'The delivery is pending.');
      if (before.attempt_count !== attempts)
        throw new Problem('conflict', 'The delivery was attempted since it was read.');
    };
    try {
      resent.push(await decideToResend(context, actor, delivery_id, requireUnchanged));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      not_resent.push({ delivery_id, reason: error.details.detail });
    }
  }

  await Promise.all(deliveries.map(resend));
  const byEndpoint = new Map(resent.map((delivery) => [delivery.endpoint_id, delivery]));
  await Promise.all(byEndpoint.values().map((delivery) => sendNow(context, delivery)));
  return { resent: resent.map(({ _id }) => _id), not_resent };
}
