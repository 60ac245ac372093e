import { DISABLE_AFTER_DAYS } from '@tollgate/contracts/webhooks/retry-schedule';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { endpointEntry } from '../audit-entry.ts';
import type { Shared } from '../context.ts';
import { type Attempt, isEventExpired, requestedDisable } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  type AttemptOutcome,
  afterFailure,
  afterSuccess,
  type DisableDecision,
  type EndpointHealth,
} from '../health/endpoint-health.ts';
import type { EndpointLease, HeldLease } from './lease.ts';

/** The stored time of the last success may be older by this much: storing every success would double the writes per delivery. */
const SUCCESS_PRECISION_MS = 60_000;

const warned = endpointEntry('webhook_endpoint.failing', SYSTEM_AUTHOR);

/** Updates the endpoint's health after an attempt. Resolves to null unless the endpoint must be disabled. */
export async function settleHealth(
  { clock, announce, logger }: Pick<Shared, 'clock' | 'announce' | 'logger'>,
  lease: EndpointLease,
  held: HeldLease,
  attempt: Attempt,
): Promise<DisableDecision | null> {
  if (isEventExpired(attempt)) return null;
  const now = clock.now();
  const requested = requestedDisable(attempt);
  const before = lease.healthOf(held);
  const { health, action } = nextHealth(before, outcomeOf(held.endpoint, attempt), now);
  const after = { ...held.endpoint, health };
  const entry = action === 'warn' ? warned(held.endpoint, after, new Date(now)) : null;
  const isStored = isWorthStoring(before, health) && (await lease.saveHealth(held, health, entry));
  if (isStored && health.pausedUntil !== null && health.pausedUntil !== before.pausedUntil) {
    const { _id: endpoint_id, application_id } = held.endpoint;
    const fields = { endpoint_id, application_id, retry_delay_ms: health.pausedUntil - now };
    logger.info(fields, 'connections to the endpoint fail; its deliveries wait');
  }
  if (isStored && looksDifferent(before, health)) announce.endpoint(held.endpoint);

  if (requested === 'gone') return { by: 'gone', reason: 'The endpoint responded with 410 Gone.' };
  if (requested === 'asked')
    return { by: 'asked', reason: 'The endpoint responded with the header webhook-delivery: disable.' };
  return action === 'disable'
    ? { by: 'failing', reason: `All deliveries failed for ${DISABLE_AFTER_DAYS} days.` }
    : null;
}

function nextHealth(health: EndpointHealth, outcome: AttemptOutcome, now: number) {
  if (outcome === 'succeeded') return { health: afterSuccess(now), action: 'none' as const };
  return afterFailure(health, outcome, now);
}

/**
 * A rejected address or a timeout does not show whether the endpoint is reachable. In the sandbox, nothing pauses: a receiver that was stopped
 * would get old events when it is back.
 */
function outcomeOf({ environment }: Endpoint, { error }: Attempt): AttemptOutcome {
  if (error === null) return 'succeeded';
  if (environment === 'sandbox') return 'error-response';
  return ['connection', 'dns', 'tls'].includes(error.code) ? 'no-connection' : 'error-response';
}

function isWorthStoring(before: EndpointHealth, after: EndpointHealth): boolean {
  if (after.failingSince !== null || before.failingSince !== null) return true;
  return (after.lastSuccessAt ?? 0) - (before.lastSuccessAt ?? 0) >= SUCCESS_PRECISION_MS;
}

/** Open pages learn of a success from its delivery. */
function looksDifferent(before: EndpointHealth, after: EndpointHealth): boolean {
  return (['failingSince', 'clockSince', 'pausedUntil'] as const).some((key) => before[key] !== after[key]);
}
