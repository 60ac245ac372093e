import { DEAD_LETTER_RETENTION_DAYS } from './dead-letter-retention.ts';
import { DAY_MS } from './durations.ts';

/** Subject on which gateways publish usage windows. */
export const USAGE_WINDOWS_SUBJECT = 'usage.windows';

/**
 * The JetStream streams. NATS is transport only: a consumer can read everything it must not miss from the owner again,
 * so a week of retention is a convenience and not the record.
 */
export const STREAMS = {
  EVENTS: { subjects: ['events.payment.>'], maxAgeMs: 7 * DAY_MS },
  AUDIT: { subjects: ['audit.>'], maxAgeMs: 7 * DAY_MS },
  USAGE: { subjects: [USAGE_WINDOWS_SUBJECT], maxAgeMs: 7 * DAY_MS },
  DEAD_LETTERS: { subjects: ['dead_letters.>'], maxAgeMs: DEAD_LETTER_RETENTION_DAYS * DAY_MS },
} as const;

/**
 * Size of each stream, beyond which the oldest messages are discarded. NATS reserves it at the creation, so that all of them must fit
 * on the disk of a laptop.
 */
export const DEFAULT_STREAM_MAX_BYTES = 512 * 1024 * 1024;

export const DEAD_LETTERS_STREAM = 'DEAD_LETTERS' satisfies StreamName;

export type StreamName = keyof typeof STREAMS;

/** `payment.created` → `events.payment.created` */
export function eventSubject(type: string): string {
  return `events.${type}`;
}

/** `application.created` → `audit.application.created` */
export function auditSubject(action: string): string {
  return `audit.${action}`;
}

/** Subject of the messages that this durable consumer could not handle. */
export function deadLetterSubject(consumer: string): string {
  return `dead_letters.${consumer}`;
}

/** Bucket with the erasures of personal data, by payment id: payments erases again what a restored backup of its database contains. */
export const ERASURES_BUCKET = 'erasures';

/** Payments instances announce their URL here every second, and announce when they drain. */
export const PAYMENTS_ANNOUNCEMENT_SUBJECT = 'announce.payments';

/** Webhooks instances notify each other of due deliveries. The message is the endpoint's id. */
export const WEBHOOKS_DUE_SUBJECT = 'webhooks.due';
