import type { Actor } from '@tollgate/contracts/accounts/actor';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type * as contract from '@tollgate/contracts/webhooks/webhook';
import { findOwn } from '../access/find-own.ts';
import type { Context } from '../context.ts';
import { isoOrNull } from '../iso-or-null.ts';

const PERIOD_MS = DAY_MS;
const MAX_DELIVERIES = 1_000;

/** Summarizes the endpoint's newest deliveries of the last 24 hours. Throws `not-found`, and the errors of `TeamQueries`. */
export async function getEndpointHealth(
  context: Context,
  actor: Actor,
  endpoint_id: string,
): Promise<contract.EndpointHealth> {
  const { team_id } = actor;
  const endpoint = await findOwn(context.endpoints, actor, endpoint_id);
  const scope = { team_id, endpoint_id };
  const to = new Date(context.clock.now());
  const from = new Date(to.getTime() - PERIOD_MS);
  const [sample, pending] = await Promise.all([
    context.queries.run(team_id, () => context.deliveries.sampleAttempts(scope, from, MAX_DELIVERIES)),
    context.queries.run(team_id, () => context.deliveries.countPending(scope)),
  ]);
  const attempts = sample.flat();
  const succeeded = attempts.filter(({ error }) => error === null).length;
  const durations = attempts.map(({ duration_ms }) => duration_ms).sort((one, other) => one - other);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    deliveries: sample.length,
    attempts: attempts.length,
    succeeded_attempts: succeeded,
    success_rate: attempts.length === 0 ? null : succeeded / attempts.length,
    p95_ms: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
    pending,
    failing_since: isoOrNull(endpoint.health.failingSince),
  };
}
