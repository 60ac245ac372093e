import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Counter, type Registry } from 'prom-client';

export type PaymentMetrics = ReturnType<typeof createPaymentMetrics>;

export function createPaymentMetrics(registry: Registry) {
  const changes = new Counter({
    name: 'tollgate_payments_changes_total',
    help: 'Payment changes, by type of the event and environment',
    labelNames: ['type', 'environment'],
    registers: [registry],
  });
  const swept = new Counter({
    name: 'tollgate_payments_events_swept_total',
    help: 'Events published by the sweeper because their request failed to publish them',
    registers: [registry],
  });
  const retentionErasures = new Counter({
    name: 'tollgate_payments_retention_erasures_total',
    help: 'Payments whose personal data was erased because the retention period of their team ended',
    registers: [registry],
  });
  return {
    countChange: (change: { type: PaymentEventType; environment: Environment }) => changes.inc(change),
    /**
     * Events that the sweep published in place of their own request. A rising count means that NATS is unavailable or that
     * instances crash.
     */
    countSwept: (events: number) => swept.inc(events),
    countRetentionErasure: () => retentionErasures.inc(),
  };
}
