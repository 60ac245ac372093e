import { Counter, Gauge, type Registry } from 'prom-client';

export type UsageMetrics = ReturnType<typeof createUsageMetrics>;

/**
 * No label names a gateway, application, or team: their number is unbounded, and the number of time series must not be.
 *
 * @param countToRollUp read at every scrape
 */
export function createUsageMetrics(registry: Registry, countToRollUp: () => Promise<number>) {
  const counter = (name: string, help: string) =>
    new Counter({ name: `tollgate_usage_${name}_total`, help, registers: [registry] });
  const metrics = {
    stored: counter('windows_stored', 'Usage windows stored'),
    repeated: counter('windows_repeated', 'Usage windows received again and ignored'),
    tooLate: counter('windows_too_late', 'Usage windows dropped because they arrived more than 7 days late'),
    requestsTooLate: counter(
      'requests_too_late',
      'Requests in usage windows dropped because they arrived more than 7 days late',
    ),
    conflicts: counter(
      'roll_up_conflicts',
      'Usage documents computed again because another instance wrote them first',
    ),
    incompleteMinutes: counter(
      'minutes_incomplete',
      'Minutes of usage left unchanged because some of their windows expired',
    ),
  };
  new Gauge({
    name: 'tollgate_usage_windows_to_roll_up',
    help: 'Usage windows stored and not yet rolled up into minutes, across all instances',
    registers: [registry],
    async collect() {
      this.set(await countToRollUp().catch(() => Number.NaN));
    },
  });
  return metrics;
}
