import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { createMalformedHttpResponses, MALFORMED_HTTP_OPTIONS } from '@tollgate/http/malformed-http';
import { dropInvalidHeaders, plainProblem } from '@tollgate/http/problem-response';
import type { Logger } from '@tollgate/runtime/logger';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { AdapterError } from '../adapter-error.ts';

/** A peer that sends slowly must not hold a connection indefinitely. */
const REQUEST_TIMEOUT_MS = 15 * SECOND_MS;
/** Bounds the memory of requests that are being received. */
const MAX_CONNECTIONS = 500;

/** A server that passes on bodies as bytes, because signatures cover the bytes, and that sends errors as problems. */
export function createHttpApp({
  bodyLimitBytes,
  logger,
}: {
  bodyLimitBytes: number;
  logger: Logger;
}): FastifyInstance {
  const malformedHttp = createMalformedHttpResponses((detail) => plainProblem(400, detail));
  const onError = (error: Error, reply: FastifyReply) => sendError(error, bodyLimitBytes, reply, logger);
  const app = fastify({
    logger: false,
    http: MALFORMED_HTTP_OPTIONS,
    bodyLimit: bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, _request, reply) => onError(error, reply),
    clientErrorHandler: malformedHttp.respond,
  });
  malformedHttp.attach(app.server);
  app.server.maxConnections = MAX_CONNECTIONS;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: Error, _request, reply) => onError(error, reply));
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(
      reply,
      404,
      'The adapter has no such operation. Compare the method and the path with its OpenAPI document.',
    ),
  );
  return app;
}

/** RFC 9457. */
function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  dropInvalidHeaders(reply);
  const { headers, body } = plainProblem(status, detail);
  return reply.code(status).headers(headers).send(Buffer.from(body));
}

function sendError(error: Error, bodyLimitBytes: number, reply: FastifyReply, logger: Logger): FastifyReply {
  if (error instanceof AdapterError) {
    logger.debug({ status: error.status, reason: error.message }, 'rejected a request');
    return sendProblem(reply, error.status, error.message);
  }
  const code = String((error as { code?: unknown }).code);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return sendProblem(reply, 413, `The body is larger than ${bodyLimitBytes} bytes. Send a smaller one.`);
  if (code.startsWith('FST_'))
    return sendProblem(reply, 400, `The request is not valid HTTP: ${error.message}.`);
  logger.error({ err: error }, 'the request failed because of an internal error');
  return sendProblem(
    reply,
    503,
    'The call failed because of an internal error, such as a full disk. Its outcome is unknown. The log of the adapter has the error. Repeat the call.',
  );
}
