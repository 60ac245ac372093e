import type { WebhookEndpoint } from '@tollgate/contracts/webhook';

type DisabledBy = NonNullable<WebhookEndpoint['disabled']>['by'];

/** Why it is disabled, beside a badge that says that it is. */
export const DISABLED_BECAUSE: Record<DisabledBy, string> = {
  member: 'by a member',
  gone: 'it answered 410 Gone',
  asked: 'it asked for it',
  failing: 'nothing succeeded for 5 days',
};

/** `All events`, `payment.succeeded`, `3 of 5 events`. */
export function eventTypesInWords(types: readonly string[], ofHowMany: number): string {
  if (types.length === ofHowMany) return 'All events';
  return types.length === 1 ? String(types[0]) : `${types.length} of ${ofHowMany} events`;
}

/** What comes of sending again, in a sentence; `ofNone` when there was nothing to send. */
export function deliveriesOnTheirWay(count: number, ofNone: string): string {
  if (count === 0) return ofNone;
  return count === 1
    ? '1 delivery is on its way.'
    : `${count.toLocaleString('en-GB')} deliveries are on their way.`;
}
