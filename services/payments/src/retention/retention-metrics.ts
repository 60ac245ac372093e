import { Counter, type Registry } from 'prom-client';

export interface RetentionMetrics {
  countErased(): void;
}

export function createRetentionMetrics(registry: Registry): RetentionMetrics {
  const erased = new Counter({
    name: 'tollgate_payments_retention_erasures_total',
    help: 'Payments whose personal data was erased because the retention period of their team ended',
    registers: [registry],
  });
  return { countErased: () => erased.inc() };
}
