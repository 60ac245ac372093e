import { Problem } from '@tollgate/contracts/problem';
import type { Context } from '../context.ts';
import type { StoredEvent } from './event-store.ts';

/** Returns the team's event. Throws `not-found`, also for another team's event. */
export async function findEvent(
  { events }: Pick<Context, 'events'>,
  teamId: string,
  eventId: string,
): Promise<StoredEvent> {
  const event = await events.find(teamId, eventId);
  if (!event) throw new Problem('not-found', `Your team has no event ${eventId}.`);
  return event;
}
