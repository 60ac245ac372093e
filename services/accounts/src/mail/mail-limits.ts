import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { NOTICE_MAX_AGE_MS } from '../notices/notice-limits.ts';
import type { MailTopic } from './mail.ts';

/** A person who waits for a reset link has asked again, or someone else, long before. */
const RESET_LINK_MAX_AGE_MS = HOUR_MS;

export function mailMaxAgeMs({ type }: MailTopic): number {
  return type === 'password-reset' ? RESET_LINK_MAX_AGE_MS : NOTICE_MAX_AGE_MS;
}
