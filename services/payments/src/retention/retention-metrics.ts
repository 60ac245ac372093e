import { Counter, type Registry } from 'prom-client';

export function createRetentionCounter(registry: Registry): Counter {
  return new Counter({
    name: 'tollgate_payments_retention_erasures_total',
    help: 'Payments whose personal data was erased because the retention period of their team ended',
    registers: [registry],
  });
}
