import type { Cookies } from '@sveltejs/kit';
import { HOUR_S } from '@tollgate/contracts/durations';

const COOKIE = 'sent_forms';
/** Enough for a member who creates several keys in a row and then reloads an earlier page. */
const MAX_REMEMBERED = 20;

export interface SentForms {
  has(formId: string): boolean;
  add(formId: string): void;
}

/**
 * The forms of one page that a browser has submitted successfully, remembered by their random ids for an hour. Without
 * JavaScript, reloading the response to a form submits it again, which would create another key.
 */
export function createSentForms(
  cookies: Pick<Cookies, 'get' | 'set'>,
  { path, secure }: { path: string; secure: boolean },
): SentForms {
  const sent = (cookies.get(COOKIE) ?? '').split(' ').filter((id) => id !== '');
  return {
    has: (formId) => sent.includes(formId),
    add(formId) {
      const value = [formId, ...sent].slice(0, MAX_REMEMBERED).join(' ');
      cookies.set(COOKIE, value, { path, secure, httpOnly: true, sameSite: 'lax', maxAge: HOUR_S });
    },
  };
}
