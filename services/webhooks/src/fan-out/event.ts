import { erasedPayment } from '@tollgate/contracts/payments/erased-payment';
import type { WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { PaymentEvent, PaymentEventType } from '@tollgate/contracts/payments/events';
import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { nullableDate, nullableNumber, RECORD_OPTIONS, textOf } from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import { RETENTION_S } from '../retention.ts';

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  environment: textOf<Environment>(),
  type: textOf<PaymentEventType>(),
  payment_id: { type: String, required: true },
  payment_version: { type: Number, required: true },
  /** Whether a member sent it to test an endpoint. */
  is_test: { type: Boolean, required: true },
  occurred_at: { type: Date, required: true },
  /** JSON text, sent as UTF-8: the same bytes in every attempt to every endpoint. */
  body: { type: String, required: true },
  /** When all its deliveries had been stored; null until then. Reconciliation fans it out again while it is null. */
  fanned_out_at: nullableDate(),
  /** When its newest delivery was created. The event is kept for longer than that delivery. */
  last_queued_at: { type: Date, required: true },
  /** Its place in the feed; null until it has one. */
  feed_position: nullableNumber(),
} as const;

/** An event with the body that is signed and sent. */
export type StoredEvent = InferRawDocType<typeof definition>;

export const eventSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'events' });

/** Matches events without a place in the feed. */
export const UNPLACED = { feed_position: null } as const;

/** Name of the index of the sandbox. Events of live cost it nothing. */
export const SANDBOX_INDEX = 'sandbox';

export const EVENT_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: -1 }, purpose: 'Events of a team, newest first' },
  { key: { team_id: 1, payment_id: 1, _id: -1 }, purpose: 'Events of a payment' },
  {
    key: { application_id: 1, environment: 1, _id: 1 },
    purpose: 'Replays: events of an application in order',
  },
  {
    key: { last_queued_at: 1 },
    // A day longer than its newest delivery, whose page shows the event, because MongoDB may expire deliveries late.
    expireAfterSeconds: RETENTION_S + DAY_S,
    purpose: 'Deletes events after their deliveries',
  },
  { key: { team_id: 1, feed_position: 1 }, purpose: 'The feed of a team' },
  {
    key: { _id: 1, feed_position: 1 },
    partialFilterExpression: UNPLACED,
    purpose: 'Events that have no place in the feed yet',
  },
  {
    key: { team_id: 1, occurred_at: 1 },
    name: SANDBOX_INDEX,
    partialFilterExpression: { environment: 'sandbox' },
    purpose: 'Resets: sandbox events of a team, oldest first',
  },
];

/** The body is serialized here, once. */
export function newEvent(
  event: Pick<StoredEvent, '_id' | 'team_id' | 'environment' | 'is_test'>,
  body: WebhookBody,
  now: Date,
): StoredEvent {
  const { id, version, application_id } = body.data;
  return {
    ...event,
    application_id,
    type: body.type,
    payment_id: id,
    payment_version: version,
    occurred_at: new Date(body.timestamp),
    body: JSON.stringify(body),
    fanned_out_at: null,
    last_queued_at: now,
    feed_position: null,
  };
}

/** The event of a payment, with the body that receivers get. */
export function storedEvent(event: PaymentEvent, now: Date): StoredEvent {
  const { id: _id, team_id, application_id, environment, type, occurred_at: timestamp } = event;
  const body = { type, timestamp, data: { ...event.data, application_id } };
  return newEvent({ _id, team_id, environment, is_test: false }, body, now);
}

/** The body of an event without the payment's personal data. It is signed anew when it is sent. */
export function erasedBody(text: string, erasedAt: string): string {
  const body = JSON.parse(text) as WebhookBody;
  return JSON.stringify({ ...body, data: erasedPayment(body.data, erasedAt) });
}
