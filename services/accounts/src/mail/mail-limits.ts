import { DAY_MS, HOUR_MS } from '@tollgate/contracts/durations';
import type { MailTopic } from './mail.ts';

/** After this time, a mail is old news, and the links in it have expired: it is not sent any more. */
export const MAIL_MAX_AGE_MS = DAY_MS;
/** A person who waits for a reset link has asked again, or someone else, long before. */
const RESET_LINK_MAX_AGE_MS = HOUR_MS;

export function mailMaxAgeMs({ type }: MailTopic): number {
  return type === 'password-reset' ? RESET_LINK_MAX_AGE_MS : MAIL_MAX_AGE_MS;
}
