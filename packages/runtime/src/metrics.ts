import { collectDefaultMetrics, Registry } from 'prom-client';

/** One registry per process, passed to each module that counts something. The library's global registry would be shared by tests. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
