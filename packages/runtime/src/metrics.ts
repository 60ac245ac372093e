import { collectDefaultMetrics, Registry } from 'prom-client';

/** One registry per process, handed to whoever counts something; never the library's global one, which tests would share. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
