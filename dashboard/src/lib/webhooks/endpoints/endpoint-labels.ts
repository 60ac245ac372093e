import { ALL_EVENT_TYPES } from '@tollgate/contracts/webhooks/all-event-types';
import { DISABLE_AFTER_DAYS } from '@tollgate/contracts/webhooks/retry-schedule';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import { countOf } from '#lib/format/number.ts';
import { formatTime } from '#lib/format/time.ts';

type DisabledBy = NonNullable<WebhookEndpoint['disabled']>['by'];

/** Why the endpoint is disabled, shown beside a badge with that status. */
export const DISABLED_BY_LABELS: Record<DisabledBy, string> = {
  member: 'By a member',
  gone: 'Returned 410 Gone',
  asked: 'Requested by the endpoint',
  failing: `No success for ${DISABLE_AFTER_DAYS} days`,
};

/** `All events`, `payment.succeeded`, `3 of 5 events`. */
export function eventTypesLabel(types: readonly string[], ofHowMany: number): string {
  if (types.includes(ALL_EVENT_TYPES) || types.length === ofHowMany) return 'All events';
  return types.length === 1 ? String(types[0]) : `${types.length} of ${ofHowMany} events`;
}

/** The result of sending again, in one sentence; `ofNone` when there was nothing to send. */
export function queuedLabel(count: number, ofNone: string): string {
  return count === 0 ? ofNone : `${countOf(count, 'delivery', 'deliveries')} queued.`;
}

const RECOVERED = {
  failed: { none: 'No deliveries failed since then.', one: 'delivery', many: 'deliveries' },
  missing: { none: 'No events are missing since then.', one: 'event', many: 'events' },
};

/** What a recovery would send, before it starts. */
export function recoveryLabel(
  of: keyof typeof RECOVERED,
  { count, at_least }: { count: number; at_least: boolean },
): string {
  const { none, one, many } = RECOVERED[of];
  if (count === 0 && !at_least) return none;
  return `${at_least ? 'At least ' : ''}${countOf(count, one, many)} will be sent.`;
}

/** How failed deliveries are retried while the endpoint fails; `pending` is the number of pending deliveries, null if unknown. */
export function retriesLabel(pending: number | null): string {
  return pending === 0
    ? 'No deliveries are waiting to be retried.'
    : 'Failed deliveries are retried automatically.';
}

/** Formats the value of a `datetime-local` field as `21 Nov 2026, 14:05`; returns other text unchanged. */
export function minuteLabel(localMinute: string): string {
  // The parser accepts nearly any text as a time.
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(localMinute)) return localMinute;
  // Parsed and formatted in UTC, so that the local time stays as written.
  const at = `${localMinute}:00Z`;
  return Number.isNaN(Date.parse(at)) ? localMinute : formatTime(at, 'UTC');
}

/**
 * The confirmation that still applies: deliveries that were queued are no longer sent once the endpoint is disabled.
 */
export function confirmationFor(
  status: WebhookEndpoint['status'],
  done: { recover: string | undefined; replay: string | undefined; disable: string | undefined },
): string | undefined {
  return status === 'enabled' ? (done.recover ?? done.replay) : done.disable;
}
