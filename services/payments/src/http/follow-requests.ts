import { HEADERS } from '@tollgate/contracts/platform/headers';
import type { Logger } from '@tollgate/runtime/logger';
import { runInTrace } from '@tollgate/tracing/current-trace';
import { type Span, startSpan } from '@tollgate/tracing/span';
import { parseTraceContext, type TraceContext } from '@tollgate/tracing/trace-context';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    receivedAtMs: number;
    trace: TraceContext | null;
    span: Span | null;
  }
}

/**
 * Handles each request as a part of the caller's trace, records it as a span, and writes one log line for it. The
 * response contains the request id.
 * @param options.beginsTrace whether a request without a trace begins one
 */
export function followRequests(
  app: FastifyInstance,
  logger: Logger,
  { beginsTrace = false }: { beginsTrace?: boolean } = {},
): void {
  app.decorateRequest('receivedAtMs', 0);
  app.decorateRequest('trace', null);
  app.decorateRequest('span', null);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADERS.requestId, request.id);
    request.receivedAtMs = performance.now();
    const parent = parseTraceContext(request.headers['traceparent'], request.headers['tracestate']);
    request.span = startSpan({
      component: 'payments',
      name: nameOf(request),
      kind: 'server',
      parent,
      beginsTrace,
    });
    request.trace = request.span.trace;
    done();
  });
  // Not in onRequest: what runs once a body has arrived is no longer part of what the first hook has begun.
  app.addHook('preHandler', (request, _reply, done) => runInTrace(request.trace, done));
  app.addHook('onResponse', (request, { statusCode: status }, done) => {
    request.span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 && { error: `the response has the status ${status}` }),
    });
    logger.info(
      {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        method: request.method,
        route: request.routeOptions.url,
        status,
        duration_ms: Math.round((performance.now() - request.receivedAtMs) * 10) / 10,
      },
      'request',
    );
    done();
  });
}

/** The route, which has no ids. */
function nameOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? 'other'}`;
}
