import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import type { Form } from '../form.ts';
import { apiTime, endOf } from '../zoned-time.ts';

/**
 * The last millisecond of a day, `2026-03-29`, in a time zone, so that the expiry shows as that day. RFC 3339, UTC.
 * Handles days of 23 and 25 hours. Null when the text is not a day.
 */
export function endOfDay(day: string, timeZone: string): string | null {
  const end = endOf(day, '', timeZone);
  return end && apiTime(end.subtract({ milliseconds: 1 }));
}

/** The last day of a credential, or an empty text for one that does not expire. Rejects the form when it is no day. */
export function readExpiryDay(form: Form, timeZone: string): string {
  const day = form.text('expires_on');
  if (day !== '' && endOfDay(day, timeZone) === null)
    form.reject('expires_on', 'Enter a valid date such as 2026-12-31.');
  return day;
}

/**
 * Reads the networks of a text field: one per line. Commas and spaces also separate them, because people paste lists.
 */
export function readCidrs(text: string): string[] {
  return text.split(/[\s,;]+/).filter((cidr) => cidr !== '');
}

const CIDR_POINTER = /^\/allowed_cidrs\/(\d+)$/;

/** The admin API points at each rejected network; the form has one field for all, whose message names them. */
export function explainCidrs(error: AdminProblem, form: Pick<Form, 'text'>): AdminProblem {
  const cidrs = readCidrs(form.text('allowed_cidrs'));
  const indexOf = ({ pointer = '' }: { pointer?: string }) => CIDR_POINTER.exec(pointer)?.[1];
  const rejected = error.errors.flatMap((fieldError) => {
    const cidr = cidrs[Number(indexOf(fieldError))];
    return cidr === undefined ? [] : [cidr];
  });
  if (rejected.length === 0) return error;
  const { status, code, detail, requestId, cause } = error;
  const verb = rejected.length === 1 ? 'is not a valid network' : 'are not valid networks';
  const named = {
    pointer: '/allowed_cidrs',
    code: 'invalid',
    detail: `${rejected.join(', ')} ${verb}. Use CIDR notation such as 203.0.113.0/24 or 2001:db8::/32.`,
  };
  const others = error.errors.filter((fieldError) => indexOf(fieldError) === undefined);
  return new AdminProblem({ status, code, detail, requestId, cause, errors: [...others, named] });
}
