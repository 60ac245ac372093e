import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import type { Context } from '../context.ts';
import type { StoredEvent } from './event.ts';

/** Returns the team's event. Throws `not-found`, also for another team's event, and `forbidden` outside the actor's environments. */
export async function findEvent(
  { events }: Pick<Context, 'events'>,
  actor: Actor,
  eventId: string,
): Promise<StoredEvent> {
  const event = await events.find(actor.team_id, eventId);
  if (!event) throw new Problem('not-found', `Your team has no event ${eventId}.`);
  requireEnvironment(actor, event.environment);
  return event;
}
