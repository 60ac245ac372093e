import { redirect } from '@sveltejs/kit';
import type { Handle, HandleServerError, ServerInit } from '@sveltejs/kit/hooks';
import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import { parseTraceContext } from '@tollgate/tracing/trace-context';
import { provideLocale } from '#lib/format/locale.ts';
import { createAdminClient } from '#lib/server/admin-client.ts';
import { AdminProblem } from '#lib/server/admin-problem.ts';
import { preferredLocale, requestLocale, runInLocale } from '#lib/server/locale.ts';
import { createSealedCookies } from '#lib/server/sealed-cookies.ts';
import { createSealer, type Sealer } from '#lib/server/sealing.ts';
import { secondFactorPath, signInPath } from '#lib/server/sign-in-path.ts';
import { stylesheetsFirst } from '#lib/server/stylesheets-first.ts';
import { tryAgain } from '#lib/server/try-again.ts';
import { readTheme, THEME_COOKIE } from '#lib/theme.ts';
import { type DashboardConfig, readDashboardConfig } from './server/config.ts';

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
  const { locals, cookies, request } = event;
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
  locals.session = await locals.sealedCookies.read('session');
  locals.admin = createAdminClient(config.adminApiUrl, {
    sessionToken: locals.session?.token ?? null,
    address: event.getClientAddress(),
    userAgent: request.headers.get('user-agent'),
    trace: currentTrace(),
    onSessionEnded: () => {
      locals.sealedCookies.clear('session');
      redirect(303, signInPath(event.url));
    },
    onSecondFactorDue: () => redirect(303, secondFactorPath(event.url)),
    onFailure: (problem) =>
      logger.error({ request_id: locals.requestId, code: problem.code, err: problem }, 'call failed'),
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

const TOO_MANY_REQUESTS = 429;

/** What the page shows of an error: only texts that the admin API wrote for people. */
export const handleError: HandleServerError = ({ kind, error, event }) => {
  const { requestId } = event.locals;
  if (error instanceof AdminProblem) {
    if (error.status >= 500)
      logger.error({ request_id: requestId, code: error.code, err: error }, 'call failed');
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
