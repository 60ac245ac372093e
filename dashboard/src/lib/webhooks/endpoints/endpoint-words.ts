import type { WebhookEndpoint } from '@tollgate/contracts/webhook';
import { formatTime } from '#lib/format/time.ts';

type DisabledBy = NonNullable<WebhookEndpoint['disabled']>['by'];

/** Why it is disabled, beside a badge that says that it is. */
export const DISABLED_BECAUSE: Record<DisabledBy, string> = {
  member: 'By a member',
  gone: 'Returned 410 Gone',
  asked: 'Requested by the endpoint',
  failing: 'No success for 5 days',
};

/** `All events`, `payment.succeeded`, `3 of 5 events`. */
export function eventTypesInWords(types: readonly string[], ofHowMany: number): string {
  if (types.length === ofHowMany) return 'All events';
  return types.length === 1 ? String(types[0]) : `${types.length} of ${ofHowMany} events`;
}

/** What comes of sending again, in a sentence; `ofNone` when there was nothing to send. */
export function deliveriesOnTheirWay(count: number, ofNone: string): string {
  if (count === 0) return ofNone;
  return count === 1 ? '1 delivery queued.' : `${count.toLocaleString('en-GB')} deliveries queued.`;
}

/** What becomes of deliveries that failed, while the endpoint fails; `pending` are owed to it. */
export function retriesInWords(pending: number): string {
  return pending === 0
    ? 'No deliveries are waiting to be retried.'
    : 'Failed deliveries are retried automatically.';
}

/** `21 Nov 2026, 14:05` of a minute where the member is, as a field for it has it; what is no minute stays as it is. */
export function minuteInWords(localMinute: string): string {
  // The parser takes nearly any text for some time.
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(localMinute)) return localMinute;
  // In UTC the hands of a clock show what is written.
  const at = `${localMinute}:00Z`;
  return Number.isNaN(Date.parse(at)) ? localMinute : formatTime(at, 'UTC');
}

/** What the page says was done, as long as it is so: what is on its way to an endpoint is not once it is disabled. */
export function doneWhile(
  status: WebhookEndpoint['status'],
  done: { recover: string | undefined; replay: string | undefined; disable: string | undefined },
): string | undefined {
  return status === 'enabled' ? (done.recover ?? done.replay) : done.disable;
}
