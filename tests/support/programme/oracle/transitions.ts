import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import type { History } from '../history.ts';

/** The lifecycle as the documentation states it. */
const LEGAL: Partial<Record<PaymentEventType, { from: PaymentStatus[]; to: PaymentStatus }>> = {
  'payment.action_required': { from: ['pending'], to: 'pending' },
  'payment.cancellation_requested': { from: ['pending'], to: 'pending' },
  'payment.processing': { from: ['pending'], to: 'processing' },
  'payment.succeeded': { from: ['pending', 'processing'], to: 'succeeded' },
  'payment.failed': { from: ['pending', 'processing'], to: 'failed' },
  'payment.canceled': { from: ['pending'], to: 'canceled' },
};

/** Lists versions that are missing or repeated, and changes that the lifecycle forbids. */
export function illegalTransitions({ events }: History): string[] {
  return [...byPayment(events)].flatMap(([id, changes]) =>
    changes.flatMap(({ type, data }, index) => {
      const wrong =
        data.version === index + 1 ? [] : [`${id} has version ${data.version} in place ${index + 1}`];
      const before = changes[index - 1]?.data.status;
      const isLegal =
        before === undefined
          ? type === 'payment.created' && data.status === 'pending'
          : LEGAL[type]?.from.includes(before) && LEGAL[type].to === data.status;
      return isLegal ? wrong : [...wrong, `${id}: ${type} leads from ${before} to ${data.status}`];
    }),
  );
}

/** Lists payments that have not ended. */
export function openPayments({ events }: History): string[] {
  return [...byPayment(events)].flatMap(([id, changes]) => {
    const status = changes.at(-1)?.data.status;
    return status === 'pending' || status === 'processing' ? [`${id} is ${status}`] : [];
  });
}

/** The events of each payment, by version. */
function byPayment(events: History['events']): Map<string, History['events'][number][]> {
  const sorted = events.toSorted((a, b) => a.data.version - b.data.version);
  return Map.groupBy(sorted, ({ data }) => data.id);
}
