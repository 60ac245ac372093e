import type { AddressInfo } from 'node:net';
import { httpOrigin } from '@tollgate/http/http-origin';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { createMalformedHttpResponses, MALFORMED_HTTP_OPTIONS } from '@tollgate/http/malformed-http';
import { plainProblem } from '@tollgate/http/problem-response';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from './logger.ts';
import { describeMetrics } from './metrics.ts';

export interface OpsServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves `/livez` and `/healthz` (200 while the process runs), `/readyz` (503 with the reasons while the process is not ready for
 * requests), `/metrics`, and `/metrics.json`, which lists the metrics, on a separate port. Every probe calls `reasonsNotReady`; an empty
 * list means ready. Reasons are logged when they change.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  reasonsNotReady: () => string[];
  registry: Registry;
  logger: Logger;
  /** Adds what only this process can say. */
  register?: (app: FastifyInstance) => void;
}): Promise<OpsServer> {
  new Gauge({
    name: 'tollgate_ready',
    help: '1 while the process is ready for requests, 0 otherwise',
    registers: [options.registry],
    collect() {
      this.set(options.reasonsNotReady().length === 0 ? 1 : 0);
    },
  });
  const app = createApp(options.logger);
  let logged = '';
  function logChange(reason: string): void {
    if (reason === logged) return;
    logged = reason;
    if (reason === '') options.logger.info('ready');
    else options.logger.warn({ reason }, 'not ready');
  }
  for (const path of ['/livez', '/healthz']) app.get(path, () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    const reasons = options.reasonsNotReady();
    logChange(reasons.join('; '));
    if (reasons.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reasons });
  });
  app.get('/metrics', async (_request, reply) => {
    reply.type(options.registry.contentType);
    return options.registry.metrics();
  });
  app.get('/metrics.json', () => describeMetrics(options.registry));
  options.register?.(app);
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  return { url: httpOrigin(options.host, port), stop: () => app.close() };
}

/** Without routes. Every error is a problem. */
function createApp(logger: Logger): FastifyInstance {
  const malformedHttp = createMalformedHttpResponses((detail) => plainProblem(400, detail));
  const onError = (error: Error, reply: FastifyReply) => {
    if (String((error as { code?: unknown }).code).startsWith('FST_'))
      return sendProblem(reply, 400, 'The request is not valid.');
    logger.error({ err: error }, 'the operations server failed');
    return sendProblem(reply, 500, 'The request failed because of an internal error.');
  };
  const app = fastify({
    logger: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: MALFORMED_HTTP_OPTIONS,
    frameworkErrors: (error, _request, reply) => onError(error, reply),
    clientErrorHandler: malformedHttp.respond,
  });
  malformedHttp.attach(app.server);
  app.setErrorHandler((error: Error, _request, reply) => onError(error, reply));
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, 'No route matches this path.'));
  return app;
}

function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const { headers, body } = plainProblem(status, detail);
  return reply.code(status).headers(headers).send(Buffer.from(body));
}
