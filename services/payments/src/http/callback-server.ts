import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { MALFORMED_HTTP_OPTIONS } from '@tollgate/http/malformed-http';
import { ADAPTER_LIMITS, type Callback } from '@tollgate/processor-adapter/contract/payment-state';
import { MalformedBody, readCallback } from '@tollgate/processor-adapter/contract/read-state';
import {
  InvalidSignature,
  type SigningSecrets,
  verify,
} from '@tollgate/processor-adapter/contract/signature';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { receiveCallback } from '../processing/receive-callback.ts';
import { followRequests } from './follow-requests.ts';
import { malformedHttpResponses, sendError, sendRouteNotFound } from './http-errors.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Node's own limit for a request's head. */
const MAX_TARGET_LENGTH = 16 * 1024;

/**
 * The listener for adapters only, on a port of its own: `POST /v1/processor-events/{processor}` with a signed callback. It
 * responds with 204 when the change is stored. Repeating a callback changes nothing.
 */
export function buildCallbackHttp(context: Context): FastifyInstance {
  const { processorsFile, metrics } = context;
  const malformedHttp = malformedHttpResponses(context);
  const app = fastify({
    logger: false,
    http: MALFORMED_HTTP_OPTIONS,
    bodyLimit: ADAPTER_LIMITS.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    genReqId: () => newId('request'),
    // A name of any length is looked up, so that a long one is not found.
    routerOptions: { maxParamLength: MAX_TARGET_LENGTH },
    frameworkErrors: (error, request, reply) => sendError(context, error, request, reply),
    clientErrorHandler: malformedHttp.respond,
  });
  malformedHttp.attach(app.server);
  // The signature covers the body as it was sent.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: Error, request, reply) => sendError(context, error, request, reply));
  app.setNotFoundHandler((request, reply) => sendRouteNotFound(context, request, reply));
  followRequests(app, context.logger, { beginsTrace: true });

  app.post<{ Params: { processor: string } }>('/v1/processor-events/:processor', async (request, reply) => {
    const { processor } = request.params;
    const adapter = processorsFile.adapters.get(processor);
    if (!adapter) return sendRouteNotFound(context, request, reply);
    try {
      await receiveCallback(context, processor, verifiedCallback(context, request, adapter.secrets));
    } catch (error) {
      metrics.countCallback({ processor, outcome: 'rejected' });
      throw error;
    }
    metrics.countCallback({ processor, outcome: 'applied' });
    return reply.code(204).send();
  });
  return app;
}

/** @throws Problem `unauthenticated`, `malformed-request` */
function verifiedCallback(
  { countUnverified, clock }: Context,
  request: FastifyRequest,
  secrets: SigningSecrets,
): Callback {
  const body = typeof request.body === 'string' ? request.body : '';
  try {
    verify(secrets, { headers: request.headers, body }, clock.now());
    return readCallback(body);
  } catch (error) {
    if (error instanceof MalformedBody) throw new Problem('malformed-request', error.message);
    if (!(error instanceof InvalidSignature)) throw error;
    countUnverified('processor_callback', 'signature');
    throw new Problem('unauthenticated', error.message);
  }
}
