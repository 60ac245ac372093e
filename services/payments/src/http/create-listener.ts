import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { MALFORMED_HTTP_OPTIONS } from '@tollgate/http/malformed-http';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { Context } from '../context.ts';
import { followRequests } from './follow-requests.ts';
import { malformedHttpResponses, sendError, sendRouteNotFound } from './http-errors.ts';

/** Node's own limit for a request's head. */
const MAX_TARGET_LENGTH = 16 * 1024;

/** A listener whose routes get the bodies as they were sent, because signatures cover them. */
export function createListener(
  context: Context,
  options: FastifyServerOptions & { beginsTrace?: boolean },
): FastifyInstance {
  const { beginsTrace = false, ...serverOptions } = options;
  const malformedHttp = malformedHttpResponses(context);
  const app: FastifyInstance = fastify({
    ...serverOptions,
    logger: false,
    http: MALFORMED_HTTP_OPTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A parameter of any length is looked up, so that malformed ones get the same response as unknown ones.
    routerOptions: { maxParamLength: MAX_TARGET_LENGTH },
    frameworkErrors: (error, request, reply) => sendError(context, error, request, reply),
    clientErrorHandler: malformedHttp.respond,
  });
  malformedHttp.attach(app.server);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: Error, request, reply) => sendError(context, error, request, reply));
  app.setNotFoundHandler((request, reply) => sendRouteNotFound(context, request, reply));
  followRequests(app, context.logger, { beginsTrace });
  return app;
}
