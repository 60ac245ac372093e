import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { RETRY_STEPS_MS } from '@tollgate/contracts/webhooks/retry-schedule';
import type { DeliveryStatus } from '@tollgate/contracts/webhooks/webhook';
import { parseRetryAfterMs } from '@tollgate/outbound/retry-after';
import { currentTrace } from '@tollgate/tracing/current-trace';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { SendResult } from '../sending/send-webhook.ts';
import { nextDelayMs } from './next-delay.ts';

/** One event for one endpoint. Its attempts ({@link Attempt}) are read only where they are shown. */
export interface Delivery {
  id: string;
  teamId: string;
  applicationId: string;
  environment: Environment;
  endpointId: string;
  eventId: string;
  eventType: PaymentEventType;
  paymentId: string;
  status: DeliveryStatus;
  /** Incremented by every claim and every decision of a member. An attempt is recorded only under the fence of its claim. */
  fence: number;
  /** All attempts. */
  attemptCount: number;
  /** Failed attempts of this round. A resend starts a new round. */
  roundFailures: number;
  responseStatus: number | null;
  lastAttemptAt: Date | null;
  /** When it is due; while it is claimed, when the claim expires. Null unless it is pending. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** The trace that every attempt continues: that of the event, or of the request of a member. Null without one. */
  traceparent: string | null;
}

/** One HTTP request of a delivery. */
export interface Attempt {
  id: string;
  number: number;
  at: Date;
  durationMs: number;
  error: SendResult['error'];
  url: string;
  requestHeaders: Record<string, string>;
  response: {
    status: number;
    headers: Record<string, string>;
    body: string;
    bytes: number;
    truncated: boolean;
  } | null;
}

export interface DeliverableEvent {
  id: string;
  type: PaymentEventType;
  paymentId: string;
}

/** Creates the delivery of an event to an endpoint: due now, or skipped while the endpoint is disabled. */
export function newDelivery(event: DeliverableEvent, endpoint: Endpoint, now: Date): Delivery {
  const isDue = endpoint.disabled === null;
  return {
    id: newId('delivery'),
    teamId: endpoint.teamId,
    applicationId: endpoint.applicationId,
    environment: endpoint.environment,
    endpointId: endpoint.id,
    eventId: event.id,
    eventType: event.type,
    paymentId: event.paymentId,
    status: isDue ? 'pending' : 'skipped',
    fence: 0,
    attemptCount: 0,
    roundFailures: 0,
    responseStatus: null,
    lastAttemptAt: null,
    nextAttemptAt: isDue ? now : null,
    createdAt: now,
    traceparent: currentTrace()?.traceparent ?? null,
  };
}

/** The delivery after a claim that expires at `leaseUntil`. */
export function claimedUntil(delivery: Delivery, leaseUntil: Date): Delivery {
  return { ...delivery, fence: delivery.fence + 1, nextAttemptAt: leaseUntil };
}

/** The state of a claimed delivery after an attempt that ended at `now`. `random` is from 0 to below 1. */
export function afterAttempt(
  delivery: Delivery,
  attempt: Attempt,
  { now, random }: { now: Date; random: number },
): Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'> {
  const { roundFailures } = delivery;
  if (attempt.error === null) return { status: 'succeeded', roundFailures, nextAttemptAt: null };
  const failures = roundFailures + 1;
  const delayMs =
    isGoneResponse(attempt) || isEventExpired(attempt)
      ? null
      : nextDelayMs(delivery.environment, failures, retryAfterMs(attempt, now), random);
  if (delayMs === null) return { status: 'failed', roundFailures: failures, nextAttemptAt: null };
  return {
    status: 'pending',
    roundFailures: failures,
    nextAttemptAt: new Date(now.getTime() + delayMs),
  };
}

/** Attempts that remain in this round unless one succeeds. */
export function attemptsLeft({ status, environment, roundFailures }: Delivery): number {
  return status === 'pending' ? RETRY_STEPS_MS[environment].length + 1 - roundFailures : 0;
}

/** How the receiver asked to be disabled; null when it did not. */
export function requestedDisable(attempt: Attempt): 'gone' | 'asked' | null {
  if (isGoneResponse(attempt)) return 'gone';
  return attempt.response?.headers['webhook-delivery']?.trim().toLowerCase() === 'disable' ? 'asked' : null;
}

/** Nothing was sent, so the attempt says nothing about the endpoint. */
export function isEventExpired({ error }: Attempt): boolean {
  return error?.code === 'event-gone';
}

function isGoneResponse({ response }: Attempt): boolean {
  return response?.status === 410;
}

function retryAfterMs({ response }: Attempt, now: Date): number | null {
  return parseRetryAfterMs(response?.headers['retry-after'], now.getTime());
}
