import type { Actor } from '@tollgate/contracts/accounts/actor';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

const PERIOD_MS = DAY_MS;
const MAX_DELIVERIES = 1_000;

export interface EndpointReport {
  endpoint: Endpoint;
  from: Date;
  to: Date;
  deliveries: number;
  attempts: number;
  succeededAttempts: number;
  p95Ms: number | null;
  pending: number;
}

/** Summarizes the endpoint's newest deliveries of the last 24 hours. Throws `not-found`, and the errors of `TeamQueries`. */
export async function getEndpointHealth(
  context: Context,
  actor: Actor,
  { endpointId }: { endpointId: string },
): Promise<EndpointReport> {
  const endpoint = await findEndpoint(context, actor, endpointId);
  const scope = { teamId: actor.team_id, endpointId };
  const run = <Result>(query: () => Promise<Result>) => context.queries.run(actor.team_id, query);
  const to = new Date(context.clock.now());
  const from = new Date(to.getTime() - PERIOD_MS);
  const [sample, pending] = await Promise.all([
    run(() => context.deliveries.sampleAttempts(scope, from, MAX_DELIVERIES)),
    run(() => context.deliveries.countPending(scope)),
  ]);
  const attempts = sample.flat();
  const durations = attempts.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  return {
    endpoint,
    from,
    to,
    deliveries: sample.length,
    attempts: attempts.length,
    succeededAttempts: attempts.filter(({ error }) => error === null).length,
    p95Ms: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
    pending,
  };
}
