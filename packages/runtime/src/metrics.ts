import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import manifest from '../package.json' with { type: 'json' };

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
  }).set({ version: manifest.version }, 1);
  return registry;
}
