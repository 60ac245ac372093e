import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { createMalformedHttpResponses, MALFORMED_HTTP_OPTIONS } from '@tollgate/http/malformed-http';
import { malformedRequest } from '@tollgate/http/problem-response';
import type { Logger } from '@tollgate/runtime/logger';
import { createReadSender } from '@tollgate/security/read-sender';
import { runInTrace } from '@tollgate/tracing/current-trace';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { AccessLog } from './access-log.ts';
import { createAllowedMethods, type KnownPath } from './allowed-methods.ts';
import { MAX_BODY_BYTES } from './content-rules.ts';
import { deferContinue } from './expect-continue.ts';
import { checkHeaders, MAX_HEADER_BYTES } from './header-rules.ts';
import { createProblemHandler } from './problem-handler.ts';
import { READINESS, registerReadiness } from './readiness.ts';
import { newRequestId } from './request-id.ts';
import { decorateRequests } from './request-state.ts';
import { beginTrace } from './request-trace.ts';
import { findTargetProblem, originForm } from './target.ts';
import { createRejectUnknownRoute } from './unknown-route.ts';

/** Time limit for receiving the headers and body of a request. */
const RECEIVE_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Headers of every response. RFC 9110 §5.6.7 and the Fetch standard: browsers must not sniff types, and no cache may store responses
 * about money.
 */
const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

/** Has no route: targets with a double slash are rejected. */
const UNROUTED = '//';

export interface HttpShellOptions {
  /** Without a trailing slash. `/errors/<code>` is appended. */
  docsBaseUrl: string;
  /** CIDRs of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  /** Every path that has a route, so that other methods on it get a 405 with `Allow`. */
  knownPaths: readonly KnownPath[];
  /** Path and query together. */
  maxTargetLength: number;
  /** What balancers get. */
  isReady: () => boolean;
  /** Headers of every response, in addition to the common ones. */
  headers?: Record<string, string>;
  accessLog: AccessLog;
  /** Called for each request whose client address is unreadable, with what the trusted proxy sent. */
  onUnreadableAddress: (entry: string) => void;
  logger: Logger;
}

/**
 * A listener without routes: the checks of every request before its route, and the headers and problems of every
 * response.
 */
export function buildHttpShell(options: HttpShellOptions): FastifyInstance {
  const { docsBaseUrl, maxTargetLength, accessLog } = options;
  const malformedHttp = createMalformedHttpResponses((detail) =>
    malformedRequest(detail, { requestId: newRequestId(), docsBaseUrl }),
  );
  const sendProblem = createProblemHandler(options);
  const rejectUnknownRoute = createRejectUnknownRoute(
    createAllowedMethods([...options.knownPaths, READINESS]),
    maxTargetLength,
  );
  const readSender = createReadSender(options.trustedProxies, options.onUnreadableAddress);
  const headers = Object.entries({ ...COMMON_HEADERS, ...options.headers });

  const app = fastify({
    // header-rules.ts rejects a request without Host.
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      ...MALFORMED_HTTP_OPTIONS,
    },
    requestTimeout: RECEIVE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    // During shutdown, requests on open connections still get responses, with `Connection: close`.
    return503OnClosing: false,
    // An id that is too long names an unknown resource, and the service says so in its own words.
    routerOptions: { maxParamLength: maxTargetLength },
    // A caller's X-Request-Id may be forged or not unique, so the gateway generates every id.
    requestIdHeader: false,
    genReqId: () => newRequestId(),
    // A target that parsers may read differently never reaches the router. rejectUnknownRoute reports the problem.
    rewriteUrl({ url = '' }) {
      const target = originForm(url);
      return findTargetProblem(target, maxTargetLength) === null ? target : UNROUTED;
    },
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply),
    clientErrorHandler: (error, socket) => malformedHttp.respond(error, socket),
  });
  // checkHeaders counts the headers itself: with a limit here, Node would silently drop the rest.
  app.server.maxHeadersCount = 0;
  malformedHttp.attach(app.server);
  deferContinue(app);

  decorateRequests(app);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler(rejectUnknownRoute);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    request.receivedAtMs = performance.now();
    request.clientAddress = readSender(request.raw).address;
    if (!isProbe(request)) beginTrace(request);
    malformedHttp.began(request.raw);
    // After every request, unlike Fastify's onResponse: also after streams, and when the client disconnects.
    reply.raw.once('close', () => {
      malformedHttp.ended(request.raw);
      if (!isProbe(request)) accessLog.ended(request, reply.raw.writableFinished ? reply.statusCode : null);
    });
    checkHeaders(request.raw);
    // Here and not only in the not-found handler, which runs after the body has been read.
    if (request.is404) rejectUnknownRoute(request, reply);
    done();
  });
  // Not in onRequest: what runs once a body has arrived is no longer part of what the first hook has begun.
  app.addHook('preHandler', (request, _reply, done) => runInTrace(request.trace, done));
  noteStop(app);
  app.addHook('onSend', (request, reply, payload, done) => {
    // The documentation may be cached, for example.
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    reply.header('x-request-id', request.id);
    const { deprecation } = request.routeOptions.config;
    if (deprecation) reply.headers(deprecation);
    if (app.isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
  registerReadiness(app, options.isReady);
  return app;
}

/** Probes of a balancer arrive every second. They get neither a log line nor a span. */
function isProbe({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === READINESS.path;
}

/**
 * Node closes connections that are idle when the shutdown starts. A busy one would stay open for its whole keep-alive
 * time, so its next response says `Connection: close`.
 */
function noteStop(app: FastifyInstance): void {
  let stopping = false;
  app.decorate('isStopping', () => stopping);
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
}
