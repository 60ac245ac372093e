import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/** Sends what is due at the endpoint, also during a pause: the member expects an attempt. If it fails, a new pause begins. */
export async function sendNow(
  { endpoints, dispatcher }: Pick<Context, 'endpoints' | 'dispatcher'>,
  { id, teamId }: Pick<Endpoint, 'id' | 'teamId'>,
): Promise<void> {
  await endpoints.endPause(teamId, id);
  dispatcher.wake(id);
}
