import { Problem } from '@tollgate/contracts/problem';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/** Returns the team's endpoint. Throws `not-found`, also for another team's endpoint. */
export async function findEndpoint(
  { endpoints }: Pick<Context, 'endpoints'>,
  teamId: string,
  endpointId: string,
): Promise<Endpoint> {
  const endpoint = await endpoints.find(teamId, endpointId);
  if (!endpoint) throw endpointNotFound(endpointId);
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
