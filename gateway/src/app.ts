import type { Socket } from 'node:net';
import type { Environment } from '@tollgate/contracts/environment';
import { newId } from '@tollgate/contracts/ids';
import type { Clock } from '@tollgate/service-kit/clock';
import type { Keyring } from '@tollgate/service-kit/keyring';
import type { Logger } from '@tollgate/service-kit/logger';
import fastify, { type FastifyInstance } from 'fastify';
import { createAuthenticate } from './authentication/authenticate.ts';
import type { Principals } from './authentication/principals.ts';
import { registerDocs } from './docs/routes.ts';
import { createForward, type UpstreamFailure } from './proxy/forward.ts';
import type { PaymentsPool } from './proxy/payments-pool.ts';
import { createProxyHandler, type ProxyFor } from './proxy/proxy-handler.ts';
import { type Admit, createAdmit } from './public-api/admit.ts';
import { MAX_BODY_BYTES } from './public-api/content-rules.ts';
import { registerOperations } from './public-api/routes.ts';
import { refuseUnknownRoute } from './public-api/unknown-route.ts';
import { createRateLimiter } from './rate-limit/rate-limiter.ts';
import { type AccessLog, createAccessLog } from './request/access-log.ts';
import type { GatewayMetrics } from './request/gateway-metrics.ts';
import { checkHeaders, MAX_HEADER_BYTES } from './request/header-rules.ts';
import { createMalformedHttpAnswers } from './request/malformed-http.ts';
import { createProblemHandler } from './request/problem-handler.ts';
import { decorateRequests } from './request/request-state.ts';
import { findTargetProblem, MAX_TARGET_LENGTH } from './request/target.ts';
import { traceContextOf } from './request/trace-context.ts';

/** For the headers and body of a request to arrive. */
const RECEIVE_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Above the 60 s that load balancers usually keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 72_000;

/** RFC 9110 §5.6.7 and the Fetch standard: no sniffing of types, and answers about money are stored nowhere on the way. */
const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

export interface AppDeps {
  environment: Environment;
  /** Without a slash at its end; `/errors/<code>` is put behind it. */
  docsBaseUrl: string;
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  principals: Principals;
  paymentsPool: PaymentsPool;
  peppers: Keyring;
  signingKeys: Keyring;
  metrics: GatewayMetrics;
  logger: Logger;
  clock: Clock;
  upstreamTimeoutMs?: number;
}

/** The public API of one environment: built once for live and once for sandbox. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const { environment, docsBaseUrl, metrics, logger } = deps;
  const accessLog = createAccessLog({ environment, metrics, logger });
  const malformedHttp = createMalformedHttpAnswers(docsBaseUrl);
  const answerProblem = createProblemHandler({ docsBaseUrl, logger });

  const app = fastify({
    // Node would answer a request without Host itself, without a problem and a request id; header-rules.ts does.
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    requestTimeout: RECEIVE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    exposeHeadRoutes: false,
    // While stopping, requests on open connections are still answered, with `Connection: close`.
    return503OnClosing: false,
    // An id that is too long is a payment that does not exist, which payments says in its own words.
    routerOptions: { maxParamLength: MAX_TARGET_LENGTH },
    // A caller's X-Request-Id could be anybody's, or the same for all: every request gets an id of ours.
    requestIdHeader: false,
    genReqId: () => newId('request'),
    // A target that parsers may disagree on never meets the router. `/` has no route, and refuseUnknownRoute says what is wrong.
    rewriteUrl: ({ url = '' }) => (findTargetProblem(url) === null ? url : '/'),
    frameworkErrors: (error, request, reply) => answerProblem(error, request, reply),
    clientErrorHandler: (error, socket) => malformedHttp.answer(error, socket),
  });
  // The check of the headers counts them itself: with a limit here, Node would leave the rest out in silence.
  app.server.maxHeadersCount = 0;
  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know; Node's own answer would be an empty 417.
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
    reply.headers(COMMON_HEADERS).header('x-request-id', request.id);
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

  registerDocs(app, docsBaseUrl);
  registerOperations(app, { admit: admitWith(deps), proxyFor: proxyWith(deps, accessLog) });
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

function admitWith(deps: AppDeps): Admit {
  return createAdmit({
    environment: deps.environment,
    principals: deps.principals,
    authenticate: createAuthenticate(deps),
    rateLimiter: createRateLimiter(deps.clock),
  });
}

function proxyWith(deps: AppDeps, accessLog: AccessLog): ProxyFor {
  const { paymentsPool, signingKeys, metrics, logger, clock, upstreamTimeoutMs } = deps;
  const countFailure = (reason: UpstreamFailure) => metrics.upstreamFailures.inc({ reason });
  return createProxyHandler({
    forward: createForward({
      pool: paymentsPool,
      logger,
      onFailure: countFailure,
      ...(upstreamTimeoutMs !== undefined && { timeoutMs: upstreamTimeoutMs }),
    }),
    signingKeys,
    clock,
    onInvalidAnswer(request, status) {
      countFailure('invalid-answer');
      logger.error({ request_id: request.id, status }, 'payments gave an answer that is not valid');
    },
    onCallerGone: accessLog.callerGone,
  });
}
