import { DAY_MS } from './durations.ts';
import type { FieldError } from './problem.ts';

/** Days before the expiry of a credential on which members are notified: time to plan a replacement, and a last call. */
const NOTICE_DAYS = [1, 7] as const;

export const FIRST_EXPIRY_NOTICE_MS = 7 * DAY_MS;

/** Which notice about an expiry members got. */
export interface ExpiryNotice {
  /** The expiry that the notice states. Another one needs notices of its own. */
  expires_at: Date;
  days: number;
}

/**
 * The notice about a credential that is due; null when none is. A credential that was created for a shorter time than the notice
 * is early needs none: its expiry is no surprise.
 */
export function dueExpiryNotice(
  { created_at, expires_at }: { created_at: Date; expires_at: Date | null },
  last: ExpiryNotice | null,
  now: Date,
): ExpiryNotice | null {
  if (expires_at === null) return null;
  const leftMs = expires_at.getTime() - now.getTime();
  const days = NOTICE_DAYS.find((each) => leftMs <= each * DAY_MS);
  if (days === undefined || leftMs <= 0) return null;
  if (expires_at.getTime() - created_at.getTime() <= days * DAY_MS) return null;
  const isSent = last?.expires_at.getTime() === expires_at.getTime() && last.days <= days;
  return isSent ? null : { expires_at, days };
}

/** The errors of a requested `expires_at`. Undefined and null mean that nothing expires. */
export function expiryErrors(expiresAt: Date | null | undefined, now: Date): FieldError[] {
  // In this form, an invalid date, which compares false with everything, is rejected too.
  if (expiresAt === undefined || expiresAt === null || expiresAt > now) return [];
  return [{ pointer: '/expires_at', code: 'invalid', detail: 'This must be a time in the future.' }];
}
