import type { FastifyHttpProxyOptions } from '@fastify/http-proxy';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Logger } from '@tollgate/runtime/logger';
import { startSpan } from '@tollgate/tracing/span';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../operations/operations.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import type { UpstreamRequest, UpstreamResponse } from './exchange.ts';
import { ClientDisconnected, type PaymentsUpstream, type UpstreamFailure } from './payments-upstream.ts';
import { changedAtOf, toPublicResponse } from './public-response.ts';
import type { SignRequest } from './sign-request.ts';

/** Forwards an admitted request to payments with `reply.from`, and its response to the caller. */
export type Forward = (operation: Operation, request: FastifyRequest, reply: FastifyReply) => void;

export function createForward(deps: {
  upstream: PaymentsUpstream;
  signRequest: SignRequest;
  usage: Pick<CountRequests, 'countAborted'>;
  onFailure: (failure: UpstreamFailure) => void;
  logger: Logger;
}): Forward {
  const { upstream, signRequest, usage, onFailure, logger } = deps;

  /** The response of payments as the caller's, or the problem that stands for one that payments would never send. */
  function respond(request: FastifyRequest, reply: FastifyReply, received: UpstreamResponse): Problem | null {
    const response = toPublicResponse(received);
    if (!response) {
      onFailure('invalid-response');
      logger.error(
        { request_id: request.id, status: received.status },
        'the payments service sent an invalid response',
      );
      return invalidResponse();
    }
    request.problemCode = response.code;
    request.problemErrors = response.errors;
    request.changedAt = changedAtOf(received);
    reply.code(response.status).headers(response.headers).send(response.body);
    return null;
  }

  return function forward(operation, request, reply) {
    const span = startSpan({
      component: 'gateway',
      name: `payments ${operation.name}`,
      kind: 'client',
      parent: request.trace,
      attributes: { 'http.request.method': operation.method },
    });
    const { path, headers, body } = signRequest(operation, request, span.trace);
    reply.raw.once('close', () => upstream.abandon(request.id));
    reply.from(path, {
      method: operation.method,
      queryString: () => '',
      body,
      // Without a type, the plugin would encode the bytes as JSON.
      contentType: 'application/json',
      rewriteRequestHeaders: () => headers,
      // The upstream repeats what may be repeated.
      retryDelay: () => null,
      rewriteHeaders: () => ({}),
      onResponse(_request, _reply, { stream }) {
        const received = stream as unknown as UpstreamResponse;
        const problem = respond(request, reply, received);
        span.end({
          attributes: { 'http.response.status_code': received.status },
          ...(problem && { error: problem }),
        });
        if (problem) reply.send(problem);
      },
      onError(_reply, { error: wrapped }) {
        const error = wrapped.cause ?? wrapped;
        span.end({ error });
        if (!(error instanceof ClientDisconnected)) {
          reply.send(error);
          return;
        }
        usage.countAborted(operation, request);
        reply.hijack();
      },
    });
  };
}

type UndiciOption = NonNullable<FastifyHttpProxyOptions['undici']>;

/** The upstream as `@fastify/reply-from` calls undici. `onResponse` gets the complete response in place of a stream. */
export function asUndici(upstream: PaymentsUpstream): UndiciOption {
  const request = (
    options: UpstreamRequest,
    callback: (
      error: unknown,
      response?: { statusCode: number; headers: object; body: UpstreamResponse },
    ) => void,
  ): void => {
    const { method, path, headers, body } = options;
    upstream
      .send({ method, path, headers, body: body || null })
      // `onResponse` sets the status and the headers: the plugin would copy those of payments.
      .then((response) => callback(null, { statusCode: 200, headers: {}, body: response }))
      .catch(callback);
  };
  return { request } as unknown as UndiciOption;
}

function invalidResponse(): Problem {
  return new Problem(
    'upstream-error',
    'The payments service sent an invalid response. The request may have been processed.',
  );
}
