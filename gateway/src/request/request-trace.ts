import { startSpan } from '@tollgate/tracing/span';
import { newTraceContext, parseTraceContext } from '@tollgate/tracing/trace-context';
import type { FastifyRequest } from 'fastify';

/** Continues the caller's trace if its headers are valid, and begins another one otherwise. */
export function beginTrace(request: FastifyRequest): void {
  const { method, headers, routeOptions } = request;
  request.span = startSpan({
    component: 'gateway',
    name: `${method} ${routeOptions.config.operation ?? 'other'}`,
    kind: 'server',
    parent: parseTraceContext(headers.traceparent, headers['tracestate']),
    beginsTrace: true,
    attributes: {
      'http.request.method': method,
      'http.route': routeOptions.url ?? '',
      'tollgate.request_id': request.id,
    },
  });
  request.trace = request.span.trace ?? newTraceContext();
}

/** Ends the span of the request. `status` is null if the client disconnected before it had a response. */
export function endTrace({ span }: FastifyRequest, status: number | null): void {
  const failure = status === null ? 'the client disconnected' : `the response has the status ${status}`;
  span?.end({
    ...(status !== null && { attributes: { 'http.response.status_code': status } }),
    ...((status === null || status >= 500) && { error: failure }),
  });
}
