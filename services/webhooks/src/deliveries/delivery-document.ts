import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { DeliveryStatus } from '@tollgate/contracts/webhooks/webhook';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { Schema } from 'mongoose';
import type { AttemptDocument } from './attempt-document.ts';
import type { Delivery } from './delivery.ts';

/** How long deliveries and their events can be read and replayed. */
export const RETENTION_S = 90 * DAY_S;

/** A delivery in the collection `deliveries`. */
export interface DeliveryDocument {
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  endpoint_id: string;
  event_id: string;
  event_type: PaymentEventType;
  payment_id: string;
  status: DeliveryStatus;
  fence: number;
  /** The last claim; null before the first. */
  claim_id: string | null;
  attempt_count: number;
  round_failures: number;
  response_status: number | null;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  created_at: Date;
  traceparent: string | null;
  attempts: AttemptDocument[];
  /** Audit entries of members' decisions, cleared when published. */
  outbox: SignedAuditEntry[];
}

/** Pending deliveries are later than this. A comparison gives the planner a range to scan, and makes the indexes partial. */
export const EARLIEST = new Date(0);
const IS_PENDING = { next_attempt_at: { $gt: EARLIEST } };

export const DUE_INDEX = { next_attempt_at: 1, endpoint_id: 1 } as const;
export const DUE_OF_ENDPOINT_INDEX = { endpoint_id: 1, next_attempt_at: 1 } as const;

/** Statuses that few deliveries have, and members search for. */
export const RARE_STATUSES = ['failed', 'skipped', 'canceled'] as const;
export type RareStatus = (typeof RARE_STATUSES)[number];

/** A team's deliveries with this status, newest first; others cost no write. The indexes differ by name only, so queries hint at the name. */
export const rareIndexName = (status: RareStatus) => `team_${status}`;

export const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    application_id: { type: String, required: true },
    environment: { type: String, required: true },
    endpoint_id: { type: String, required: true },
    event_id: { type: String, required: true },
    event_type: { type: String, required: true },
    payment_id: { type: String, required: true },
    status: { type: String, required: true },
    fence: { type: Number, required: true },
    claim_id: { type: String, default: null },
    attempt_count: { type: Number, required: true },
    round_failures: { type: Number, required: true },
    response_status: { type: Number, default: null },
    last_attempt_at: { type: Date, default: null },
    next_attempt_at: { type: Date, default: null },
    created_at: { type: Date, required: true },
    traceparent: { type: String, default: null },
    attempts: [Schema.Types.Mixed],
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'deliveries', versionKey: false, strict: 'throw', autoCreate: false, minimize: false },
);

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

export function toDocument(delivery: Delivery): DeliveryDocument {
  return {
    _id: delivery.id,
    team_id: delivery.teamId,
    application_id: delivery.applicationId,
    environment: delivery.environment,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    payment_id: delivery.paymentId,
    status: delivery.status,
    fence: delivery.fence,
    claim_id: null,
    attempt_count: delivery.attemptCount,
    round_failures: delivery.roundFailures,
    response_status: delivery.responseStatus,
    last_attempt_at: delivery.lastAttemptAt,
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
    traceparent: delivery.traceparent,
    attempts: [],
    outbox: [],
  };
}

export function toDelivery(document: Omit<DeliveryDocument, 'claim_id' | 'attempts' | 'outbox'>): Delivery {
  return {
    id: document._id,
    teamId: document.team_id,
    applicationId: document.application_id,
    environment: document.environment,
    endpointId: document.endpoint_id,
    eventId: document.event_id,
    eventType: document.event_type,
    paymentId: document.payment_id,
    status: document.status,
    fence: document.fence,
    attemptCount: document.attempt_count,
    roundFailures: document.round_failures,
    responseStatus: document.response_status,
    lastAttemptAt: document.last_attempt_at,
    nextAttemptAt: document.next_attempt_at,
    createdAt: document.created_at,
    traceparent: document.traceparent,
  };
}
