import type * as contract from '@tollgate/contracts/webhooks/webhook';
import type { Context } from './context.ts';
import type { Attempt, Delivery } from './deliveries/delivery.ts';
import { type Endpoint, signingSecrets } from './endpoints/endpoint.ts';
import type { Receiver } from './endpoints/endpoint-store.ts';
import type { StoredEvent } from './fan-out/event.ts';
import { disablesAtOf, isPaused } from './health/endpoint-health.ts';
import { isoOrNull } from './iso-or-null.ts';

export function endpointToWire(endpoint: Endpoint, now: Date): contract.WebhookEndpoint {
  const { _id, application_id, environment, url, description, event_types, health, disabled, version } =
    endpoint;
  const isEnabled = disabled === null;
  return {
    id: _id,
    application_id,
    environment,
    url,
    description,
    event_types,
    status: isEnabled ? 'enabled' : 'disabled',
    disabled: disabled && { ...disabled, at: disabled.at.toISOString() },
    failing_since: isoOrNull(health.failingSince),
    disables_at: isEnabled ? isoOrNull(disablesAtOf(health)) : null,
    paused_until: isEnabled && isPaused(health, now.getTime()) ? isoOrNull(health.pausedUntil) : null,
    last_success_at: isoOrNull(health.lastSuccessAt),
    old_secret_expires_at: isoOrNull(signingSecrets(endpoint, now)[1]?.expiresAt),
    version,
    created_at: endpoint.created_at.toISOString(),
    updated_at: endpoint.updated_at.toISOString(),
  };
}

/** The team's deliveries with what their endpoints have now, or had when they were deleted. */
export async function deliveriesToWire(
  { endpoints }: Pick<Context, 'endpoints'>,
  teamId: string,
  deliveries: Delivery[],
): Promise<contract.Delivery[]> {
  const endpointIds = [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))];
  const receivers = await endpoints.findReceivers(teamId, endpointIds);
  return deliveries.map((delivery) => deliveryToWire(delivery, receivers.get(delivery.endpoint_id)));
}

/** An endpoint is not stored only after a partial restore of a backup. */
function deliveryToWire(delivery: Delivery, receiver: Receiver | undefined): contract.Delivery {
  const { _id, attempt_count, last_attempt_at, next_attempt_at, created_at, ...shown } = delivery;
  const pausedUntil = receiver?.pausedUntil ?? null;
  // A delivery that is due waits until the pause of its endpoint ends.
  const isPaused = next_attempt_at !== null && pausedUntil !== null && pausedUntil > next_attempt_at;
  return {
    ...shown,
    id: _id,
    endpoint_url: receiver?.url ?? null,
    attempts: attempt_count,
    last_attempt_at: isoOrNull(last_attempt_at),
    next_attempt_at: isoOrNull(isPaused ? pausedUntil : next_attempt_at),
    created_at: created_at.toISOString(),
  };
}

/** Without `showsResponses`, only the status and size of a response. */
export function attemptToWire(attempt: Attempt, showsResponses: boolean): contract.DeliveryAttempt {
  const { at, error, request_headers, response, ...shown } = attempt;
  return {
    ...shown,
    at: at.toISOString(),
    succeeded: error === null,
    error,
    request_headers: Object.fromEntries(request_headers),
    response: response && {
      status: response.status,
      headers: showsResponses ? Object.fromEntries(response.headers) : {},
      bytes: response.bytes,
      truncated: response.truncated,
    },
  };
}

export function eventToWire({ _id, occurred_at, body: _, ...event }: StoredEvent): contract.WebhookEvent {
  return { ...event, id: _id, occurred_at: occurred_at.toISOString() };
}
