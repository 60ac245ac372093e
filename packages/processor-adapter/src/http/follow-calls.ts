import { runInTrace } from '@tollgate/tracing/current-trace';
import { type Span, startSpan } from '@tollgate/tracing/span';
import { parseTraceContext } from '@tollgate/tracing/trace-context';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/** Handles each call as a part of Tollgate's trace, so that log lines have its id, and records it as a span. */
export function followCalls(app: FastifyInstance, component: string): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    request.span = startSpan({
      component,
      name: `${method} ${routeOptions.url ?? 'other'}`,
      kind: 'server',
      parent: parseTraceContext(headers['traceparent'], headers['tracestate']),
    });
    done();
  });
  // Not in onRequest: code that runs after the body has arrived is outside the asynchronous context of that hook.
  app.addHook('preHandler', (request, _reply, done) => runInTrace(request.span?.trace ?? null, done));
  app.addHook('onResponse', (request, { statusCode: status }, done) => {
    request.span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 && { error: `the response has the status ${status}` }),
    });
    done();
  });
}
