import { HEADERS } from '@tollgate/contracts/headers';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/runtime/clock';
import type { Keyring } from '@tollgate/security/keyring';
import { signPrincipal } from '@tollgate/security/principal-signature';
import { type SpanAttributes, startSpan } from '@tollgate/tracing/span';
import { traceHeaders } from '@tollgate/tracing/trace-context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, upstreamPath } from '../operations/operations.ts';
import { repeatableRequest } from '../request/repeatable-request.ts';
import type { UpstreamRequest } from './exchange.ts';
import { ClientDisconnected, type Forward } from './forward.ts';
import { changedAtOf, toPublicResponse } from './upstream-response.ts';

/** Returns the handler for one operation. */
export type ProxyFor = (
  operation: Operation,
) => (request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void) => void;

/**
 * @fastify/http-proxy calls this handler before its own `reply.from`, which is then never reached. The handler builds
 * the upstream request from validated values instead of copying the caller's, so that no header or path of the caller
 * reaches payments by accident.
 */
export function createProxyHandler(deps: {
  forward: Forward;
  signingKeys: Keyring;
  clock: Clock;
  onInvalidResponse: (request: FastifyRequest, status: number) => void;
  onDisconnected: (operation: Operation, request: FastifyRequest) => void;
}): ProxyFor {
  const { forward, signingKeys, clock, onInvalidResponse, onDisconnected } = deps;

  return (operation) => {
    async function proxy(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const span = startSpan({
        component: 'gateway',
        name: `payments ${operation.name}`,
        kind: 'client',
        parent: request.trace,
        attributes: { 'http.request.method': operation.method },
      });
      const inner = innerRequest(operation, request, signingKeys, clock.now());
      const forwarding = forward(
        { ...inner, headers: { ...inner.headers, ...traceHeaders(span.trace) } },
        request.id,
      );
      const { raw } = reply;
      function abandonIfPending(): void {
        if (!raw.writableEnded) forwarding.abandon();
      }
      raw.once('close', abandonIfPending);
      const attributes: SpanAttributes = {};
      try {
        const upstreamResponse = await forwarding.response;
        attributes['http.response.status_code'] = upstreamResponse.status;
        const response = toPublicResponse(upstreamResponse, repeatableRequest(request));
        if (!response) {
          onInvalidResponse(request, upstreamResponse.status);
          throw new Problem(
            'upstream-error',
            'The payments service sent an invalid response. The request may have been processed.',
          );
        }
        request.problemCode = response.code;
        request.changedAt = changedAtOf(upstreamResponse);
        reply.code(response.status).headers(response.headers);
        if (response.status === 304) reply.send();
        // As text: Node writes it together with the headers in one chunk, and omits the bytes for HEAD.
        else reply.serializer(asItIs).send(response.body.toString('utf8'));
        span.end({ attributes });
      } catch (error) {
        span.end({ attributes, error });
        if (!(error instanceof ClientDisconnected)) throw error;
        onDisconnected(operation, request);
        reply.hijack();
      } finally {
        raw.off('close', abandonIfPending);
      }
    }

    // A hook with a callback, which is not called once there is a response: the response goes out a moment later, after
    // it is counted, and Fastify would continue to the handler if an async hook resolved before that.
    return (request, reply, done) => void proxy(request, reply).catch(done);
  };
}

/** Without an explicit serializer, Fastify would add a charset to the content type. */
function asItIs(payload: unknown): string {
  return payload as string;
}

const EMPTY_BODY = Buffer.alloc(0);

function innerRequest(
  operation: Operation,
  request: FastifyRequest,
  signingKeys: Keyring,
  nowMs: number,
): UpstreamRequest {
  const { caller } = request;
  if (!caller) throw new Error('A request reached the proxy without admission');
  const isPost = operation.method === 'POST';
  const body = isPost && Buffer.isBuffer(request.body) ? request.body : EMPTY_BODY;
  const path = upstreamPath(operation, request.params as { payment_id?: string });
  const idempotencyKey = isPost ? request.headers[HEADERS.idempotencyKey] : undefined;

  const headers = signPrincipal(
    signingKeys,
    caller.principal,
    // HEAD is sent as GET: the headers are the same by definition, and undici closes its connection after a HEAD.
    { method: operation.method, path, requestId: request.id, idempotencyKey: textOf(idempotencyKey), body },
    nowMs,
  );
  headers[HEADERS.requestId] = request.id;
  // An empty key is forwarded too, and payments rejects it. Dropping it here would silently make the request unsafe to
  // retry.
  if (idempotencyKey !== undefined) headers[HEADERS.idempotencyKey] = textOf(idempotencyKey);
  if (body.length > 0) headers['content-type'] = 'application/json';
  const ifNoneMatch = request.headers['if-none-match'];
  if (!isPost && ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch;
  return { method: operation.method, path, headers, body: body.length > 0 ? body : null };
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
