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
} as const;

export type StreamName = keyof typeof STREAMS;

/** `payment.created` → `events.payment.created` */
export function eventSubject(type: string): string {
  return `events.${type}`;
}

/** `application.created` → `audit.application.created` */
export function auditSubject(action: string): string {
  return `audit.${action}`;
}

/** Payments instances announce their URL here every second, and announce when they drain. */
export const PAYMENTS_ANNOUNCEMENT_SUBJECT = 'announce.payments';
