import type { ResentDeliveries } from '@tollgate/contracts/webhooks/webhook';
import { queuedLabel } from './endpoints/endpoint-labels.ts';

/** The result of resending deliveries, with the reasons why some were not resent. */
export function resentLabel({ resent, not_resent }: ResentDeliveries): string {
  const byReason = Map.groupBy(not_resent, ({ reason }) => reason);
  const reasons = [...byReason].map(([reason, deliveries]) => `${deliveries.length} not resent: ${reason}`);
  return [queuedLabel(resent.length, 'No delivery was resent.'), ...reasons].join(' ');
}
