import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import manifest from '../package.json' with { type: 'json' };

/** Version of this release. */
export const VERSION = manifest.version;

export interface MetricDescription {
  name: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  labels: string[];
  help: string;
}

/** Each process has one registry and passes it to the modules that have metrics. Tests would share the library's global registry. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'tollgate_build_info',
    help: 'Always 1. The label is the version of the process',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  return registry;
}

/** Describes every metric of the platform in the registry, also those without a value, by name. Omits those of Node and the process. */
export function describeMetrics(registry: Registry): MetricDescription[] {
  // The library's types lack the names of labels, and say that types are numbers.
  const metrics = registry.getMetricsAsArray() as unknown as (MetricDescription & { labelNames: string[] })[];
  return metrics
    .filter(({ name }) => name.startsWith('tollgate_'))
    .map(({ name, type, labelNames, help }) => ({ name, type, labels: labelNames, help }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
