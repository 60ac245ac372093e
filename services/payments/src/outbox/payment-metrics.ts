import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Counter, type Registry } from 'prom-client';

export interface PaymentMetrics {
  countChange(change: { type: PaymentEventType; environment: Environment }): void;
  /**
   * Events that the sweep published in place of their own request. A rising count means that NATS is unavailable or
   * that instances crash.
   */
  countSwept(events: number): void;
}

export function createPaymentMetrics(registry: Registry): PaymentMetrics {
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
  return {
    countChange: (change) => changes.inc(change),
    countSwept: (events) => swept.inc(events),
  };
}
