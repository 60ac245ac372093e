import type { AddressInfo } from 'node:net';
import { httpOrigin } from '@tollgate/http/http-origin';
import fastify from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { describeMetrics } from './metrics.ts';

export interface OpsServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves `/livez` and `/healthz` (200 while the process runs), `/readyz` (503 with the reasons while the process is not ready for
 * requests), `/metrics`, and `/metrics.json`, which lists the metrics, on a separate port. Every probe calls `reasonsNotReady`; an empty
 * list means ready.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  reasonsNotReady: () => string[];
  registry: Registry;
}): Promise<OpsServer> {
  new Gauge({
    name: 'tollgate_ready',
    help: '1 while the process is ready for requests, 0 otherwise',
    registers: [options.registry],
    collect() {
      this.set(options.reasonsNotReady().length === 0 ? 1 : 0);
    },
  });
  const app = fastify({ logger: false });
  for (const path of ['/livez', '/healthz']) app.get(path, () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    const reasons = options.reasonsNotReady();
    if (reasons.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reasons });
  });
  app.get('/metrics', async (_request, reply) => {
    reply.type(options.registry.contentType);
    return options.registry.metrics();
  });
  app.get('/metrics.json', () => describeMetrics(options.registry));
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  return { url: httpOrigin(options.host, port), stop: () => app.close() };
}
