import type { Socket } from 'node:net';
import { newId } from '@tollgate/contracts/ids';
import type { Logger } from '@tollgate/runtime/logger';
import fastify, { type FastifyInstance } from 'fastify';
import type { AccessLog } from './access-log.ts';
import { createAllowedMethods, type KnownPath } from './allowed-methods.ts';
import { MAX_BODY_BYTES } from './content-rules.ts';
import { checkHeaders, MAX_HEADER_BYTES } from './header-rules.ts';
import { createMalformedHttpAnswers } from './malformed-http.ts';
import { createProblemHandler } from './problem-handler.ts';
import { decorateRequests } from './request-state.ts';
import { findTargetProblem } from './target.ts';
import { traceContextOf } from './trace-context.ts';
import { createRefuseUnknownRoute } from './unknown-route.ts';

/** For the headers and body of a request to arrive. */
const RECEIVE_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Above the 60 s that load balancers usually keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 72_000;

/** RFC 9110 §5.6.7 and the Fetch standard: no sniffing of types, and responses about money are stored nowhere on the way. */
const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

export interface HttpShellOptions {
  /** Without a slash at its end; `/errors/<code>` is put behind it. */
  docsBaseUrl: string;
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Every path that gets a route, so that another method on it gets `Allow`. */
  knownPaths: readonly KnownPath[];
  /** Path and query together. */
  maxTargetLength: number;
  /** On every response, beside those that all listeners give. */
  headers?: Record<string, string>;
  accessLog: AccessLog;
  logger: Logger;
}

/** A listener without routes: what every request meets before its route, and every response after it. */
export function buildHttpShell(options: HttpShellOptions): FastifyInstance {
  const { docsBaseUrl, maxTargetLength, accessLog } = options;
  const malformedHttp = createMalformedHttpAnswers(docsBaseUrl);
  const answerProblem = createProblemHandler(options);
  const refuseUnknownRoute = createRefuseUnknownRoute(
    createAllowedMethods(options.knownPaths),
    maxTargetLength,
  );
  const headers = { ...COMMON_HEADERS, ...options.headers };

  const app = fastify({
    // Node would respond to a request without Host itself, without a problem and a request id; header-rules.ts does.
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    requestTimeout: RECEIVE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    exposeHeadRoutes: false,
    // While stopping, requests on open connections are still completed, with `Connection: close`.
    return503OnClosing: false,
    // An id that is too long is a thing that does not exist, which its service says in its own words.
    routerOptions: { maxParamLength: maxTargetLength },
    // A caller's X-Request-Id could be anybody's, or the same for all: every request gets an id of ours.
    requestIdHeader: false,
    genReqId: () => newId('request'),
    // A target that parsers may disagree on never meets the router. `/` has no route, and refuseUnknownRoute says what is wrong.
    rewriteUrl: ({ url = '' }) => (findTargetProblem(url, maxTargetLength) === null ? url : '/'),
    frameworkErrors: (error, request, reply) => answerProblem(error, request, reply),
    clientErrorHandler: (error, socket) => malformedHttp.answer(error, socket),
  });
  // The check of the headers counts them itself: with a limit here, Node would leave the rest out in silence.
  app.server.maxHeadersCount = 0;
  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know; Node's own response would be an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) =>
    malformedHttp.answer(new Error('CONNECT'), socket as Socket),
  );

  decorateRequests(app);
  app.setErrorHandler(answerProblem);
  app.setNotFoundHandler(refuseUnknownRoute);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    request.receivedAtMs = performance.now();
    request.trace = traceContextOf(request.headers);
    malformedHttp.began(request.raw);
    reply.headers(headers).header('x-request-id', request.id);
    checkHeaders(request.raw);
    // Here and not in the not-found handler alone, which runs after the body has been read.
    if (request.is404) refuseUnknownRoute(request, reply);
    done();
  });
  closeConnectionsWhenStopping(app);
  app.addHook('onResponse', (request, reply, done) => {
    malformedHttp.ended(request.raw);
    accessLog.answered(request, reply.statusCode);
    done();
  });
  return app;
}

/** Node closes connections that are idle when the stop begins; one that is busy then would stay open for its whole keep-alive time. */
function closeConnectionsWhenStopping(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
}
