import { DAY_MS } from './durations.ts';

/** Gateways publish each window of usage here. */
export const USAGE_WINDOWS_SUBJECT = 'usage.windows';

/**
 * The JetStream streams. NATS is transport only: what a consumer must not miss can be asked for again from its owner,
 * so a week of limits retention is a convenience and not the record.
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

/** Payments instances announce their URL here each second, and say goodbye when they drain. */
export const PAYMENTS_ANNOUNCEMENT_SUBJECT = 'announce.payments';
