import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { findEvent } from '../fan-out/find-event.ts';
import type { Attempt } from './delivery.ts';
import { findDelivery } from './find-delivery.ts';

/** Returns one attempt with the exact request body and the response. Throws `not-found`. */
export async function getAttempt(
  context: Context,
  actor: Actor,
  { deliveryId, attemptId }: { deliveryId: string; attemptId: string },
): Promise<{ attempt: Attempt; requestBody: string; environment: Environment }> {
  const delivery = await findDelivery(context, actor, deliveryId);
  const attempts = await context.deliveries.findAttempts(actor.team_id, deliveryId);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (!attempt) throw new Problem('not-found', `The delivery has no attempt ${attemptId}.`);
  const event = await findEvent(context, actor, delivery.eventId);
  return { attempt, requestBody: event.body, environment: event.environment };
}
