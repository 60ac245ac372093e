import { HEADERS } from '@tollgate/contracts/headers';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/runtime/clock';
import type { Keyring } from '@tollgate/security/keyring';
import { signPrincipal } from '@tollgate/security/principal-signature';
import { startSpan } from '@tollgate/tracing/span';
import { type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, upstreamPath } from '../operations/operations.ts';
import { repeatableRequest } from '../request/repeatable-request.ts';
import { sendComplete } from '../request/send-complete.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import { createEncodeCaller, type EncodeCaller } from './encode-caller.ts';
import type { UpstreamRequest, UpstreamResponse } from './exchange.ts';
import { ClientDisconnected, type Forward } from './forward.ts';
import { changedAtOf, type PublicResponse, toPublicResponse } from './upstream-response.ts';

/** Returns the handler for one operation. */
export type ProxyFor = (operation: Operation) => (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The handler builds the upstream request from validated values instead of copying the caller's, so that no header or path of the caller
 * reaches payments by accident. It uses callbacks: each promise on this path costs every request.
 */
export function createProxyHandler(deps: {
  forward: Forward;
  signingKeys: Keyring;
  clock: Clock;
  usage: Pick<CountRequests, 'countResponse'>;
  onInvalidResponse: (request: FastifyRequest, status: number) => void;
  onDisconnected: (operation: Operation, request: FastifyRequest) => void;
}): ProxyFor {
  const { forward, signingKeys, clock, usage, onInvalidResponse, onDisconnected } = deps;
  const signing = { signingKeys, encodeCaller: createEncodeCaller() };

  function publicResponse(request: FastifyRequest, upstreamResponse: UpstreamResponse): PublicResponse {
    const response = toPublicResponse(upstreamResponse, repeatableRequest(request));
    if (response) return response;
    onInvalidResponse(request, upstreamResponse.status);
    throw new Problem(
      'upstream-error',
      'The payments service sent an invalid response. The request may have been processed.',
    );
  }

  function respond(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
    upstreamResponse: UpstreamResponse,
  ): void {
    const response = publicResponse(request, upstreamResponse);
    request.problemCode = response.code;
    request.changedAt = changedAtOf(upstreamResponse);
    usage.countResponse(operation, request, response, () => sendComplete(request, reply, response));
  }

  return (operation) => (request, reply) => {
    const span = startSpan({
      component: 'gateway',
      name: `payments ${operation.name}`,
      kind: 'client',
      parent: request.trace,
      attributes: { 'http.request.method': operation.method },
    });
    let isPending = true;
    const inner = innerRequest(operation, request, span.trace, signing, clock.now());
    const forwarding = forward(inner, request.id, (result) => {
      isPending = false;
      const attributes = result instanceof Error ? {} : { 'http.response.status_code': result.status };
      try {
        if (result instanceof Error) throw result;
        respond(operation, request, reply, result);
        span.end({ attributes });
      } catch (error) {
        span.end({ attributes, error });
        if (error instanceof ClientDisconnected) {
          onDisconnected(operation, request);
          reply.hijack();
        } else reply.send(error);
      }
    });
    reply.raw.on('close', () => {
      if (isPending) forwarding.abandon();
    });
  };
}

const EMPTY_BODY = Buffer.alloc(0);

function innerRequest(
  operation: Operation,
  request: FastifyRequest,
  trace: TraceContext | null,
  { signingKeys, encodeCaller }: { signingKeys: Keyring; encodeCaller: EncodeCaller },
  nowMs: number,
): UpstreamRequest {
  const { caller } = request;
  if (!caller) throw new Error('A request reached the proxy without admission');
  const isPost = operation.method === 'POST';
  const body = isPost && Buffer.isBuffer(request.body) ? request.body : EMPTY_BODY;
  const path = upstreamPath(operation, request.params as { payment_id?: string });
  const idempotencyKey = isPost ? request.headers[HEADERS.idempotencyKey] : undefined;

  const idempotencyText = textOf(idempotencyKey);

  const principal = encodeCaller(caller.principal, request);
  const signature = signPrincipal(
    signingKeys,
    principal,
    // HEAD is sent as GET: the headers are the same by definition, and undici closes its connection after a HEAD.
    { method: operation.method, path, requestId: request.id, idempotencyKey: idempotencyText, body },
    nowMs,
  );
  const headers = [HEADERS.principal, principal, HEADERS.signature, signature, HEADERS.requestId, request.id];
  // An empty key is forwarded too, and payments rejects it. Dropping it here would silently make the request unsafe to
  // retry.
  if (idempotencyKey !== undefined) headers.push(HEADERS.idempotencyKey, idempotencyText);
  if (body.length > 0) headers.push('content-type', 'application/json');
  const { precondition } = operation;
  const tags = precondition && request.headers[precondition];
  if (precondition && tags !== undefined) headers.push(precondition, tags);
  headers.push(...Object.entries(traceHeaders(trace)).flat());
  return { method: operation.method, path, headers, body: body.length > 0 ? body : null };
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
