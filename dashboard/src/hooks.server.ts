import { type RequestEvent, redirect } from '@sveltejs/kit';
import type { Handle, HandleServerError, ServerInit } from '@sveltejs/kit/hooks';
import { createAdminClient } from '@tollgate/admin-client/admin-client';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { newId } from '@tollgate/contracts/platform/ids';
import { type DashboardConfig, readDashboardConfig } from '@tollgate/dashboard-server/config';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import { parseTraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import { queryWithoutSecrets } from '#lib/credentials/credential.ts';
import { provideLocale } from '#lib/format/locale.ts';
import { preferredLocale, requestLocale, runInLocale } from '#lib/server/locale.ts';
import { createSealedCookies } from '#lib/server/sealed-cookies.ts';
import { createSealer, type Sealer } from '#lib/server/sealing.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { stylesheetsFirst } from '#lib/server/stylesheets-first.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { tryAgain } from '#lib/server/try-again.ts';
import { readTheme, THEME_COOKIE } from '#lib/theme.ts';

const CALL_TIMEOUT_MS = 10_000;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

let config: DashboardConfig;
let sealer: Sealer;
let logger: Logger;

export const init: ServerInit = () => {
  config = readDashboardConfig(process.env);
  sealer = createSealer(config.sessionCookieKeys);
  logger = createLogger({ service: 'dashboard', level: config.logLevel, isSynchronous: true });
  provideLocale(requestLocale);
};

export const handle: Handle = (input) => {
  const { headers } = input.event.request;
  const trace = parseTraceContext(headers.get('traceparent'), headers.get('tracestate'));
  const locale = preferredLocale(headers.get('accept-language'));
  return runInTrace(trace, () => runInLocale(locale, () => handleInContext(input)));
};

const handleInContext: Handle = async ({ event, resolve }) => {
  const { locals, cookies, request, url } = event;
  // Without JavaScript, a search sends a pasted API key in the address.
  const query = String(queryWithoutSecrets(url.searchParams));
  if (query !== String(url.searchParams)) redirect(303, `${url.pathname}?${query}`);
  const startedAt = performance.now();
  const secure = config.url.startsWith('https:');
  locals.requestId = newId('request');
  locals.secure = secure;
  locals.sealedCookies = createSealedCookies(cookies, sealer, secure);
  locals.dashboardUrl = config.url;
  locals.apiUrls = { live: config.liveApiUrl, sandbox: config.sandboxApiUrl };
  locals.adminApiUrl = config.publicAdminApiUrl;
  locals.docsUrl = config.docsUrl;
  locals.developmentInboxUrl = config.developmentInboxUrl;
  locals.timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  locals.session = await locals.sealedCookies.read('session');
  locals.admin = createAdminClient({
    baseUrl: config.adminApiUrl,
    token: locals.session?.token ?? null,
    headers: headersOfCalls(event),
    isForOnePage: true,
    timeoutMs: CALL_TIMEOUT_MS,
    onProblem(problem) {
      if (problem.code === 'invalid-session' || problem.code === 'unauthenticated') {
        locals.sealedCookies.clear('session');
        redirect(303, signInPath(event.url));
      }
      if (problem.code === 'second-factor-setup-required')
        redirect(303, signInPath(event.url, '/account/second-factor'));
      if (problem.status >= SERVER_ERROR) logFailure(locals.requestId, problem);
    },
  });

  const theme = readTheme(cookies.get(THEME_COOKIE));
  const response = await resolve(event, {
    preload: ({ type }) => type === 'js' || type === 'css' || type === 'font',
    transformPageChunk: ({ html }) =>
      stylesheetsFirst(html)
        .replace('%tollgate.locale%', requestLocale())
        .replace('%tollgate.theme%', theme === 'system' ? '' : `data-theme="${theme}"`),
  });
  for (const [name, value] of Object.entries(pageHeaders(event.route.id))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  response.headers.set('x-request-id', locals.requestId);
  logger.info(
    {
      request_id: locals.requestId,
      method: request.method,
      route: event.route.id,
      status: response.status,
      duration_ms: Math.round(performance.now() - startedAt),
    },
    'request completed',
  );
  return response;
};

/** Sent with every call of the admin API: the browser of the member, for sessions, throttling, and audit records, and the trace of the page. */
function headersOfCalls({ getClientAddress, request }: RequestEvent): Record<string, string> {
  const userAgent = request.headers.get('user-agent');
  return {
    'x-forwarded-for': getClientAddress(),
    ...(userAgent !== null && { 'user-agent': userAgent }),
    ...traceHeaders(currentTrace()),
  };
}

function logFailure(requestId: string, problem: AdminProblem): void {
  logger.error({ request_id: requestId, code: problem.code, err: problem }, 'call failed');
}

/** Addresses that contain a token or an authorization code: the Referer header must not carry them, not even into this site's own logs. */
const TOKEN_ROUTES = ['/(entry)/join/[token]', '/(entry)/reset/[token]', '/(entry)/sso/callback/[team_id]'];

function pageHeaders(route: string | null): Record<string, string> {
  return {
    'cache-control': 'no-store',
    // This header is set on responses other than pages: SvelteKit sets a policy with nonces on pages.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Not `no-referrer`: with it, browsers send `Origin: null` on form posts, and the CSRF check rejects those.
    ...(route !== null && TOKEN_ROUTES.includes(route) ? { 'referrer-policy': 'strict-origin' } : {}),
  };
}

/** What the page shows of an error: only texts that the admin API wrote for people. */
export const handleError: HandleServerError = ({ kind, error, event }) => {
  const { requestId } = event.locals;
  if (error instanceof AdminProblem) {
    if (error.status >= SERVER_ERROR) logFailure(requestId, error);
    const message =
      error.status === TOO_MANY_REQUESTS ? `${error.detail} ${tryAgain(error.retryAfterS)}` : error.detail;
    return { status: error.status, message, requestId: error.requestId ?? requestId, code: error.code };
  }
  if (kind === 'unknown') {
    logger.error({ request_id: requestId, route: event.route.id, err: error }, 'page failed');
    return { message: 'Internal server error.', requestId };
  }
  return { requestId };
};
