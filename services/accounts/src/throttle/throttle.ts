import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';

/** How many failures are allowed without a wait, and how the wait grows. */
export interface ThrottlePolicy {
  freeFailures: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

const definition = {
  /** The subject, or the address. */
  _id: { type: String, required: true },
  failures: { type: Number, required: true },
  blocked_until: { type: Date, required: true },
  last_attempt_at: { type: Date, required: true },
} as const;

/** The recorded attempts of one subject or address. */
export type AttemptRecord = InferRawDocType<typeof definition>;

export const attemptSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'attempts' });

/** At most 96 guesses a day at the longest wait; a person who mistypes does not notice it. */
export const SUBJECT_POLICY: ThrottlePolicy = {
  freeFailures: 5,
  firstDelayMs: 1000,
  maxDelayMs: 15 * MINUTE_MS,
};

/** Nobody can fill a mailbox: after the first three, at most one mail an hour in the long run. */
export const MAIL_POLICY: ThrottlePolicy = {
  freeFailures: 3,
  firstDelayMs: 2 * MINUTE_MS,
  maxDelayMs: 60 * MINUTE_MS,
};

/** Looser, because an office shares an address. It limits single guesses at many accounts. */
export const ADDRESS_POLICY: ThrottlePolicy = {
  freeFailures: 50,
  firstDelayMs: 1000,
  maxDelayMs: 15 * MINUTE_MS,
};

/** Failures are deleted after this time without an attempt. */
export const THROTTLE_MEMORY_MS = 24 * 60 * MINUTE_MS;

/** The record with one more attempt counted as failed, or null while attempts are blocked. */
export function countedAttempt(
  record: AttemptRecord,
  policy: ThrottlePolicy,
  now: Date,
): AttemptRecord | null {
  if (record.blocked_until > now) return null;
  const isExpired = now.getTime() - record.last_attempt_at.getTime() > THROTTLE_MEMORY_MS;
  const failures = (isExpired ? 0 : record.failures) + 1;
  return {
    _id: record._id,
    failures,
    blocked_until: new Date(now.getTime() + delayMs(failures, policy)),
    last_attempt_at: now,
  };
}

function delayMs(failures: number, { freeFailures, firstDelayMs, maxDelayMs }: ThrottlePolicy): number {
  const excess = failures - freeFailures;
  return excess <= 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (excess - 1));
}
