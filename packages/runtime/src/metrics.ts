import { collectDefaultMetrics, Registry } from 'prom-client';

/** Each process has one registry and passes it to the modules that have metrics. Tests would share the library's global registry. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
