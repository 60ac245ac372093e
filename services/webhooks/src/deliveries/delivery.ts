import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import {
  MAX_RETRY_AFTER_STEPS,
  RETRY_JITTER,
  RETRY_STEPS_MS,
} from '@tollgate/contracts/webhooks/retry-schedule';
import type { DeliveryStatus } from '@tollgate/contracts/webhooks/webhook';
import { parseRetryAfterMs } from '@tollgate/outbound/retry-after';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import {
  listOf,
  nullableDate,
  nullableNumber,
  nullableText,
  RECORD_OPTIONS,
  textOf,
} from '@tollgate/store/schema/fields';
import { currentTrace } from '@tollgate/tracing/current-trace';
import { type InferRawDocType, Schema } from 'mongoose';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { StoredEvent } from '../fan-out/event.ts';
import { RETENTION_S } from '../retention.ts';
import type { SendResult } from '../sending/send-webhook.ts';

/** Not an object: a header can be called `$set` or `a.b`, which MongoDB rejects or misreads as a field name. */
type HeaderPairs = [name: string, value: string][];

/** One HTTP request of a delivery. */
export interface Attempt {
  id: string;
  number: number;
  at: Date;
  duration_ms: number;
  error: SendResult['error'];
  url: string;
  request_headers: HeaderPairs;
  response: {
    status: number;
    headers: HeaderPairs;
    body: string;
    bytes: number;
    truncated: boolean;
  } | null;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  environment: textOf<Environment>(),
  endpoint_id: { type: String, required: true },
  event_id: { type: String, required: true },
  event_type: textOf<PaymentEventType>(),
  payment_id: { type: String, required: true },
  status: textOf<DeliveryStatus>(),
  /** Incremented by every claim and every decision of a member. An attempt is recorded only under the fence of its claim. */
  fence: { type: Number, required: true },
  /** The last claim; null before the first. */
  claim_id: nullableText(),
  /** All attempts. */
  attempt_count: { type: Number, required: true },
  /** Failed attempts of this round. A resend starts a new round. */
  round_failures: { type: Number, required: true },
  response_status: nullableNumber(),
  last_attempt_at: nullableDate(),
  /** When it is due; while it is claimed, when the claim expires. Null unless it is pending. */
  next_attempt_at: nullableDate(),
  created_at: { type: Date, required: true },
  /** The trace that every attempt continues: that of the event, or of the request of a member. Null without one. */
  traceparent: nullableText(),
  /** The newest attempts. */
  attempts: listOf<Attempt>(),
  /** Audit entries of members' decisions, cleared when published. */
  outbox: listOf<SignedAuditEntry>(),
} as const;

/** A delivery as it is stored: one event for one endpoint. */
export type StoredDelivery = InferRawDocType<typeof definition>;

/** A delivery as it is read: its attempts are read only where they are shown. */
export type Delivery = Omit<StoredDelivery, keyof typeof WITHOUT_LOG>;
export const WITHOUT_LOG = { attempts: 0, outbox: 0 } as const;

export const deliverySchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'deliveries' });

/** The endpoint that a delivery goes to, and who owns it. */
export type Destination = Pick<Delivery, 'team_id' | 'application_id' | 'environment' | 'endpoint_id'>;

export function destinationOf({
  _id: endpoint_id,
  team_id,
  application_id,
  environment,
}: Pick<Endpoint, '_id' | 'team_id' | 'application_id' | 'environment'>): Destination {
  return { team_id, application_id, environment, endpoint_id };
}

/** Pending deliveries are later than this. A comparison gives the planner a range to scan, and makes the indexes partial. */
export const EARLIEST = new Date(0);
const IS_PENDING = { next_attempt_at: { $gt: EARLIEST } };

export const DUE_INDEX = { next_attempt_at: 1, endpoint_id: 1 } as const;
export const DUE_OF_ENDPOINT_INDEX = { endpoint_id: 1, next_attempt_at: 1 } as const;

/** Statuses that few deliveries have, and members search for. */
export const RARE_STATUSES = ['failed', 'skipped', 'canceled'] as const;
type RareStatus = (typeof RARE_STATUSES)[number];

/** A team's deliveries with this status, newest first; others cost no write. The indexes differ by name only, so queries hint at the name. */
export const rareIndexName = (status: RareStatus) => `team_${status}`;

export const DELIVERY_INDEXES: readonly IndexDeclaration[] = [
  {
    // The event first: its ids rise in time, so that new deliveries to many endpoints are next to each other.
    key: { event_id: 1, endpoint_id: 1 },
    unique: true,
    purpose:
      'One delivery per event and endpoint, even if the event is received more than once; deliveries of an event',
  },
  {
    key: DUE_INDEX,
    partialFilterExpression: IS_PENDING,
    purpose: 'The dispatcher: endpoints with due deliveries',
  },
  {
    key: DUE_OF_ENDPOINT_INDEX,
    partialFilterExpression: IS_PENDING,
    purpose: 'The dispatcher: pending deliveries of an endpoint',
  },
  { key: { team_id: 1, endpoint_id: 1, _id: -1 }, purpose: 'Deliveries of an endpoint, newest first' },
  { key: { team_id: 1, payment_id: 1, _id: -1 }, purpose: 'Deliveries of a payment, newest first' },
  { key: { team_id: 1, _id: -1 }, purpose: 'Deliveries of a team, newest first' },
  ...RARE_STATUSES.map(
    (status): IndexDeclaration => ({
      key: { team_id: 1, _id: -1 },
      name: rareIndexName(status),
      partialFilterExpression: { status },
      purpose: `Deliveries of a team with the status \`${status}\``,
    }),
  ),
  {
    key: { created_at: 1 },
    expireAfterSeconds: RETENTION_S,
    purpose: 'Deletes deliveries after their retention',
  },
  OUTBOX_INDEX,
];

/** Creates the delivery of an event to an endpoint: due now, or skipped while the endpoint is disabled. */
export function newDelivery(
  event: Pick<StoredEvent, '_id' | 'type' | 'payment_id'>,
  endpoint: Pick<Endpoint, '_id' | 'team_id' | 'application_id' | 'environment' | 'disabled'>,
  now: Date,
): StoredDelivery {
  const isDue = endpoint.disabled === null;
  return {
    _id: newId('delivery'),
    ...destinationOf(endpoint),
    event_id: event._id,
    event_type: event.type,
    payment_id: event.payment_id,
    status: isDue ? 'pending' : 'skipped',
    fence: 0,
    claim_id: null,
    attempt_count: 0,
    round_failures: 0,
    response_status: null,
    last_attempt_at: null,
    next_attempt_at: isDue ? now : null,
    created_at: now,
    traceparent: currentTrace()?.traceparent ?? null,
    attempts: [],
    outbox: [],
  };
}

/** The delivery after a claim that expires at `leaseUntil`. */
export function claimedUntil<Due extends Delivery>(delivery: Due, leaseUntil: Date): Due {
  return { ...delivery, fence: delivery.fence + 1, next_attempt_at: leaseUntil };
}

/** What becomes of a delivery, by an attempt or a member's decision. */
export type Outcome = Pick<Delivery, 'status' | 'round_failures' | 'next_attempt_at'>;

/** The state of a claimed delivery after an attempt that ended at `now`. `random` is from 0 to below 1. */
export function afterAttempt(
  { environment, round_failures }: Delivery,
  attempt: Attempt,
  { now, random }: { now: Date; random: number },
): Outcome {
  if (attempt.error === null) return { status: 'succeeded', round_failures, next_attempt_at: null };
  const failures = round_failures + 1;
  const retryAfterMs = parseRetryAfterMs(responseHeader(attempt, 'retry-after'), now.getTime());
  const delayMs =
    isGoneResponse(attempt) || isEventExpired(attempt)
      ? null
      : nextDelayMs(environment, failures, retryAfterMs, random);
  if (delayMs === null) return { status: 'failed', round_failures: failures, next_attempt_at: null };
  return {
    status: 'pending',
    round_failures: failures,
    next_attempt_at: new Date(now.getTime() + delayMs),
  };
}

/**
 * Milliseconds until the next attempt; null when there is none.
 *
 * @param failures attempts of this round that have failed, at least 1
 * @param retryAfterMs the receiver's `Retry-After`; null without one
 * @param random from 0 to below 1
 */
export function nextDelayMs(
  environment: Environment,
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const stepMs = RETRY_STEPS_MS[environment][failures - 1];
  if (stepMs === undefined) return null;
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, stepMs), MAX_RETRY_AFTER_STEPS * stepMs);
  return Math.round(stepMs * (1 + RETRY_JITTER * (2 * random - 1)));
}

/** Attempts that remain in this round unless one succeeds. */
export function attemptsLeft({ status, environment, round_failures }: Delivery): number {
  return status === 'pending' ? RETRY_STEPS_MS[environment].length + 1 - round_failures : 0;
}

/** How the receiver asked to be disabled; null when it did not. */
export function requestedDisable(attempt: Attempt): 'gone' | 'asked' | null {
  if (isGoneResponse(attempt)) return 'gone';
  return responseHeader(attempt, 'webhook-delivery')?.trim().toLowerCase() === 'disable' ? 'asked' : null;
}

/** Nothing was sent, so the attempt says nothing about the endpoint. */
export function isEventExpired({ error }: Attempt): boolean {
  return error?.code === 'event-gone';
}

function isGoneResponse({ response }: Attempt): boolean {
  return response?.status === 410;
}

function responseHeader({ response }: Attempt, wanted: string): string | undefined {
  return response?.headers.find(([name]) => name === wanted)?.[1];
}
