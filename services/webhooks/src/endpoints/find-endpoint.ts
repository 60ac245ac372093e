import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/** Returns the team's endpoint. Throws `not-found`, also for another team's endpoint, and `forbidden` outside the actor's environments. */
export async function findEndpoint(
  { endpoints }: Pick<Context, 'endpoints'>,
  actor: Actor,
  endpointId: string,
): Promise<Endpoint> {
  const endpoint = await endpoints.find(actor.team_id, endpointId);
  if (!endpoint) throw endpointNotFound(endpointId);
  requireEnvironment(actor, endpoint.environment);
  return endpoint;
}

export function endpointNotFound(endpointId: string): Problem {
  return new Problem('not-found', `Your team has no webhook endpoint ${endpointId}.`);
}

/** Throws `conflict` for a disabled endpoint. */
export function requireEnabled(endpoint: Endpoint): void {
  if (endpoint.disabled === null) return;
  throw new Problem('conflict', 'The endpoint is disabled. Enable it first.');
}
