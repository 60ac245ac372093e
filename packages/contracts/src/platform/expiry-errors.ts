import type { FieldError } from './problem.ts';

/** The errors of a requested `expires_at`. Undefined and null mean that nothing expires. */
export function expiryErrors(expiresAt: Date | null | undefined, now: Date): FieldError[] {
  // In this form, an invalid date, which compares false with everything, is rejected too.
  if (expiresAt === undefined || expiresAt === null || expiresAt > now) return [];
  return [{ pointer: '/expires_at', code: 'invalid', detail: 'This must be a time in the future.' }];
}
