import type * as contract from '@tollgate/contracts/webhooks/webhook';
import type { Attempt } from './deliveries/delivery.ts';
import type { AddressedDelivery } from './deliveries/with-receivers.ts';
import type { CreatedEndpoint, EndpointWithSecret } from './endpoints/create-endpoint.ts';
import { type Endpoint, signingSecrets } from './endpoints/endpoint.ts';
import type { EndpointReport } from './endpoints/get-endpoint-health.ts';
import type { StoredEvent } from './fan-out/event-store.ts';
import { disablesAtOf, isPaused } from './health/endpoint-health.ts';
import { isoOrNull } from './iso-or-null.ts';

export function endpointToWire(endpoint: Endpoint, now: Date): contract.WebhookEndpoint {
  const { health, disabled } = endpoint;
  const isEnabled = disabled === null;
  return {
    id: endpoint.id,
    application_id: endpoint.applicationId,
    environment: endpoint.environment,
    url: endpoint.url,
    description: endpoint.description,
    event_types: [...endpoint.eventTypes],
    status: isEnabled ? 'enabled' : 'disabled',
    disabled: disabled && { by: disabled.by, reason: disabled.reason, at: disabled.at.toISOString() },
    failing_since: isoOrNull(health.failingSince),
    disables_at: isEnabled ? isoOrNull(disablesAtOf(health)) : null,
    paused_until: isEnabled && isPaused(health, now.getTime()) ? isoOrNull(health.pausedUntil) : null,
    last_success_at: isoOrNull(health.lastSuccessAt),
    old_secret_expires_at: signingSecrets(endpoint, now)[1]?.expiresAt?.toISOString() ?? null,
    version: endpoint.version,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

export function createdEndpointToWire(
  { endpoint, secret }: CreatedEndpoint,
  now: Date,
): contract.CreatedWebhookEndpoint {
  return { ...endpointToWire(endpoint, now), secret };
}

export function endpointWithSecretToWire(
  { endpoint, secret }: EndpointWithSecret,
  now: Date,
): contract.WebhookEndpointWithSecret {
  return { ...endpointToWire(endpoint, now), secret };
}

export function healthToWire(report: EndpointReport): contract.EndpointHealth {
  const { attempts, succeededAttempts } = report;
  return {
    from: report.from.toISOString(),
    to: report.to.toISOString(),
    deliveries: report.deliveries,
    attempts,
    succeeded_attempts: succeededAttempts,
    success_rate: attempts === 0 ? null : succeededAttempts / attempts,
    p95_ms: report.p95Ms,
    pending: report.pending,
    failing_since: isoOrNull(report.endpoint.health.failingSince),
  };
}

export function deliveryToWire({ delivery, receiver }: AddressedDelivery): contract.Delivery {
  return {
    id: delivery.id,
    application_id: delivery.applicationId,
    environment: delivery.environment,
    endpoint_id: delivery.endpointId,
    endpoint_url: receiver?.url ?? null,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    payment_id: delivery.paymentId,
    status: delivery.status,
    attempts: delivery.attemptCount,
    response_status: delivery.responseStatus,
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    next_attempt_at: nextAttemptAt(delivery, receiver)?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  };
}

/** A delivery that is due waits until the pause of its endpoint ends. */
function nextAttemptAt(
  { nextAttemptAt: dueAt }: AddressedDelivery['delivery'],
  receiver: AddressedDelivery['receiver'],
): Date | null {
  const pausedUntil = receiver?.pausedUntil ?? null;
  return dueAt !== null && pausedUntil !== null && pausedUntil > dueAt ? pausedUntil : dueAt;
}

/** Without `showsResponses`, only the status and size of a response. */
export function attemptToWire(
  attempt: Attempt,
  { showsResponses }: { showsResponses: boolean },
): contract.DeliveryAttempt {
  const { response } = attempt;
  return {
    id: attempt.id,
    number: attempt.number,
    at: attempt.at.toISOString(),
    duration_ms: attempt.durationMs,
    succeeded: attempt.error === null,
    error: attempt.error,
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    response: response && {
      status: response.status,
      headers: showsResponses ? response.headers : {},
      bytes: response.bytes,
      truncated: response.truncated,
    },
  };
}

export function attemptDetailToWire(
  { attempt, requestBody }: { attempt: Attempt; requestBody: string },
  shown: { showsResponses: boolean },
): contract.DeliveryAttemptDetail {
  return {
    ...attemptToWire(attempt, shown),
    request_body: requestBody,
    response_body: (shown.showsResponses && attempt.response?.body) || null,
  };
}

export function eventToWire(event: StoredEvent): contract.WebhookEvent {
  return {
    id: event.id,
    type: event.type,
    application_id: event.applicationId,
    environment: event.environment,
    payment_id: event.paymentId,
    payment_version: event.paymentVersion,
    is_test: event.isTest,
    occurred_at: event.occurredAt.toISOString(),
  };
}
