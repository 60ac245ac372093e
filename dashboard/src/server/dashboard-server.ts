import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { createMalformedHttpResponses, MALFORMED_HTTP_OPTIONS } from '@tollgate/http/malformed-http';
import { plainProblem } from '@tollgate/http/problem-response';
import type { Logger } from '@tollgate/runtime/logger';
import { createReadSender } from '@tollgate/security/read-sender';
import { startSpan } from '@tollgate/tracing/span';
import { newTraceContext, parseTraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import { createHostCheck } from './allowed-hosts.ts';
import { createCompression, isEventStream } from './compression.ts';
import type { DashboardConfig } from './config.ts';
import type { Metrics } from './metrics.ts';
import { securityHeaders } from './security-headers.ts';

/** The handler that adapter-node builds: static files, then SvelteKit. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Headers that carry this server's decisions to the adapter. It overwrites values that a client sends, and adds the trace. */
export const ADAPTER_HEADERS = { protocol: 'x-forwarded-proto', address: 'x-forwarded-for' } as const;

/** Far larger than any form. */
export const MAX_BODY = '128K';

const REQUEST_TIMEOUT_MS = 30_000;

/** Methods that `Request` of the Fetch Standard rejects (§2.2.1). */
const NEVER_ALLOWED = new Set(['CONNECT', 'TRACE', 'TRACK']);

/**
 * Wraps the adapter's handler. It determines the protocol, host and address of the client, on which SvelteKit's CSRF
 * check, cookies and redirects depend, and never trusts what the client claims.
 */
export function createDashboardServer(deps: {
  config: Pick<DashboardConfig, 'url' | 'trustedProxies'>;
  handler: Handler;
  logger: Logger;
  metrics: Metrics;
}) {
  const { config, handler, logger, metrics } = deps;
  const isOurHost = createHostCheck(config.url);
  const compress = createCompression(config.url);
  const readSender = createReadSender(config.trustedProxies, metrics.countUnreadable('dashboard', logger));
  const protocol = new URL(config.url).protocol.slice(0, -1);
  const fixedHeaders = Object.entries(securityHeaders(config.url));
  const openResponses = new Set<ServerResponse>();
  const malformedHttp = createMalformedHttpResponses((detail) => plainProblem(400, detail));
  let isStopping = false;

  const options = {
    ...MALFORMED_HTTP_OPTIONS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = createServer(options, (request, response) => {
    const startedAt = performance.now();
    malformedHttp.began(request);
    for (const [name, value] of fixedHeaders) response.setHeader(name, value);
    if (isStopping) response.setHeader('connection', 'close');
    response.once('close', () => {
      const isStream = isEventStream(response);
      if (!isStream) {
        metrics.countRequest(
          request.method ?? '',
          response.statusCode,
          (performance.now() - startedAt) / 1000,
        );
      }
      openResponses.delete(response);
      malformedHttp.ended(request);
      if (isStopping) server.closeIdleConnections();
    });

    const { headers } = request;
    const sender = readSender(request);
    const forwardedHost = headers['x-forwarded-host'];
    if (sender.viaTrustedProxy && typeof forwardedHost === 'string') headers.host = forwardedHost;
    if (!isOurHost(headers.host)) {
      logger.warn({ host: headers.host, address: sender.address }, 'rejected a request for another host');
      reject(response, config.url);
      return;
    }
    if (!request.url?.startsWith('/') || NEVER_ALLOWED.has(request.method ?? '')) {
      rejectRequest(response);
      return;
    }
    delete headers['x-forwarded-host'];
    delete headers['x-forwarded-port'];
    delete headers['forwarded'];
    headers[ADAPTER_HEADERS.protocol] = protocol;
    // The gateway cannot read this word either, so that the client shares its limits with others that have no address.
    headers[ADAPTER_HEADERS.address] = sender.address ?? 'unknown';

    openResponses.add(response);
    // SvelteKit sends some of its errors without a type.
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    const handle = () => handler(request, response, () => response.writeHead(404).end());
    if (isAsset(request)) return handle();
    followRequest(request, response);
    compress(request, response, handle);
  });

  server.on('clientError', (error, socket) => malformedHttp.respond(error, socket as Socket));
  malformedHttp.attach(server);

  return {
    server,
    /** Rejects new connections, ends event streams, and resolves when the requests in flight are complete. */
    stop: () =>
      new Promise<void>((resolve) => {
        isStopping = true;
        server.close(() => resolve());
        for (const response of openResponses) if (isEventStream(response)) response.end();
        server.closeIdleConnections();
      }),
  };
}

/** Files of the build. They cause no calls, so they need no trace, and the build has compressed them. */
function isAsset({ url }: IncomingMessage): boolean {
  return url?.startsWith('/_app/') === true;
}

/**
 * Continues the trace of the request, or begins one. The page passes the trace on to the admin API. The headers carry the trace, because
 * the adapter of SvelteKit has no access to the recorder of this process.
 */
function followRequest({ method = '', headers }: IncomingMessage, response: ServerResponse): void {
  const span = startSpan({
    component: 'dashboard',
    name: `${method} page`,
    kind: 'server',
    parent: parseTraceContext(headers['traceparent'], headers['tracestate']),
    beginsTrace: true,
    attributes: { 'http.request.method': method },
  });
  delete headers['tracestate'];
  Object.assign(headers, traceHeaders(span.trace ?? newTraceContext()));
  response.once('close', () => {
    const { statusCode: status } = response;
    span.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 && { error: `the response has the status ${status}` }),
    });
  });
}

/** The adapter would respond without a body: it cannot build a `Request` with this target or method. */
function rejectRequest(response: ServerResponse): void {
  const { status, headers, body } = plainProblem(
    400,
    'The target must be a path, and the method must be one of a page.',
  );
  response.writeHead(status, headers).end(body);
}

/** RFC 9110 §15.5.20: this server is not authoritative for the host. */
function reject(response: ServerResponse, url: string): void {
  response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(
    `This dashboard is available only at ${url}.\n` +
      'To use another address, set DASHBOARD_URL to it and restart the dashboard.\n',
  );
}
