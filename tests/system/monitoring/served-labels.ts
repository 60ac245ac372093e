import type { SharedPlatform } from '../../support/platform/shared-platform.ts';
import { describedMetrics } from './described-metrics.ts';

/** Labels that Prometheus adds to every series, and `service`, which the processes add. */
const EVERY_LABEL = ['job', 'instance', 'service'];
/** Metrics that Prometheus itself stores about each target. */
const PROMETHEUS_METRICS = ['up'];

/** The names of the series that Prometheus gets from the processes, each with its labels. */
export async function servedLabels(
  opsUrls: SharedPlatform['opsUrls'],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const served = new Map(PROMETHEUS_METRICS.map((name) => [name, new Set(EVERY_LABEL)]));
  const labels = new Map(
    [...(await describedMetrics(opsUrls)).values()].flat().map((metric) => [metric.name, metric.labels]),
  );
  for (const url of Object.values(opsUrls)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      const own = new Set([...EVERY_LABEL, ...(labels.get(name) ?? [])]);
      served.set(name, own);
      if (type !== 'histogram') continue;
      served.set(`${name}_count`, own).set(`${name}_sum`, own);
      served.set(`${name}_bucket`, new Set([...own, 'le']));
    }
  }
  return served;
}
