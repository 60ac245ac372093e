import { randomUUID } from 'node:crypto';
import type { SecondFactorName } from '@tollgate/contracts/accounts/passkey';
import type { AdminRoute, RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import type { FieldError } from '@tollgate/contracts/platform/problem';
import { type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import { AdminProblem } from './admin-problem.ts';

export interface CallOptions {
  /** The `version` that the caller has read, or `*` for any version. */
  ifMatch?: number | '*';
  /** The key of a call that creates a resource: a repeated call with the same key creates nothing. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal;
}

export interface AdminClient {
  /**
   * Calls one route of the table, for example `admin.call(ADMIN_ROUTES.getPayment, { payment_id })`. Returns an empty
   * object for a 204. Throws AdminProblem, or what the callbacks of the caller throw.
   */
  call<Route extends AdminRoute>(
    route: Route,
    request: RouteRequest<Route>,
    options?: CallOptions,
  ): Promise<RouteReply<Route>>;
  /**
   * Returns a streamed response (CSV, server-sent events) as it arrives, without a timeout once it has begun. Throws
   * like `call`.
   */
  open(path: string, query: URLSearchParams, signal: AbortSignal): Promise<Response>;
}

/** The member on whose behalf the client calls. */
export interface AdminCaller {
  sessionToken: string | null;
  /** IP address and user agent of the member's browser, for sessions, throttling and audit records. */
  address: string;
  userAgent: string | null;
  /** The trace of the page. */
  trace: TraceContext | null;
  /** Called when the session is unknown or has ended. */
  onSessionEnded: () => never;
  /** Called when the member must set up a second factor before anything else. */
  onSecondFactorDue: () => never;
  /** Called when a service fails or is unreachable: for the log. */
  onFailure: (problem: AdminProblem) => void;
}

const TIMEOUT_MS = 10_000;
const SERVER_ERROR = 500;

type Query = Record<string, string | number | boolean>;

/** A client of the admin API for one page request, typed by its table of routes. `baseUrl` has no trailing slash. */
export function createAdminClient(baseUrl: string, caller: AdminCaller): AdminClient {
  const callerHeaders: Record<string, string> = {
    'x-forwarded-for': caller.address,
    ...traceHeaders(caller.trace),
  };
  if (caller.userAgent !== null) callerHeaders['user-agent'] = caller.userAgent;
  if (caller.sessionToken !== null) callerHeaders['authorization'] = `Bearer ${caller.sessionToken}`;

  /** Calls with the same id share one exchange of the session. Those after a change get another id: it may have ended the session. */
  let pageRequest = randomUUID();

  async function send(path: string, init: RequestInit & { headers?: Record<string, string> }) {
    let response: Response;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        ...init,
        headers: { ...init.headers, ...callerHeaders, [HEADERS.pageRequest]: pageRequest },
        redirect: 'error',
      });
    } catch (error) {
      throw failed(unreachable(error));
    } finally {
      if ((init.method ?? 'GET') !== 'GET') pageRequest = randomUUID();
    }
    if (response.ok) return response;
    const problem = await readProblem(response);
    if (problem.code === 'invalid-session' || problem.code === 'unauthenticated') caller.onSessionEnded();
    if (problem.code === 'second-factor-setup-required') caller.onSecondFactorDue();
    throw problem.status >= SERVER_ERROR ? failed(problem) : problem;
  }

  function failed(problem: AdminProblem): AdminProblem {
    caller.onFailure(problem);
    return problem;
  }

  return {
    async call<Route extends AdminRoute>(
      route: Route,
      request: RouteRequest<Route>,
      options: CallOptions = {},
    ): Promise<RouteReply<Route>> {
      const { path, rest } = fillPath(route.path, request as Record<string, unknown>);
      const isRead = route.method === 'GET';
      const hasBody = !isRead && Object.keys(rest).length > 0;
      const headers: Record<string, string> = { accept: 'application/json' };
      if (hasBody) headers['content-type'] = 'application/json';
      if (options.ifMatch !== undefined) {
        headers['if-match'] = options.ifMatch === '*' ? '*' : `"${options.ifMatch}"`;
      }
      if (options.idempotencyKey !== undefined) headers[HEADERS.idempotencyKey] = options.idempotencyKey;
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const response = await send(isRead ? `${path}${queryString(rest)}` : path, {
        method: route.method,
        headers,
        signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
        ...(hasBody ? { body: JSON.stringify(rest) } : {}),
      });
      if (response.status === 204) return {} as RouteReply<Route>;
      try {
        return (await response.json()) as RouteReply<Route>;
      } catch (error) {
        throw failed(unreachable(error));
      }
    },

    open: (path, query, signal) => send(query.size > 0 ? `${path}?${query}` : path, { signal }),
  };
}

/** Fills the path parameters from the request; the other members go into the query or the body. */
function fillPath(template: string, request: Record<string, unknown>) {
  const rest = { ...request };
  const path = template.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name];
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`The request for ${template} lacks ${name}.`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

function queryString(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined) as [
    string,
    Query[string],
  ][];
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `?${query}` : '';
}

function unreachable(cause: unknown): AdminProblem {
  return new AdminProblem({
    status: 503,
    code: 'unavailable',
    detail: 'The admin API is unavailable. Try again in a moment.',
    cause,
  });
}

interface ProblemBody {
  status: number;
  code: ErrorCode;
  detail: string;
  request_id?: string;
  errors?: FieldError[];
  factors?: SecondFactorName[];
}

async function readProblem(response: Response): Promise<AdminProblem> {
  const requestId = response.headers.get('x-request-id');
  const retryAfterS = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const waits = Number.isFinite(retryAfterS) ? { retryAfterS } : {};
  try {
    const body = (await response.json()) as ProblemBody;
    if (typeof body.code !== 'string' || typeof body.detail !== 'string')
      throw new TypeError('The body of the response is not a problem.');
    return new AdminProblem({
      status: response.status,
      code: body.code,
      detail: body.detail,
      errors: body.errors ?? [],
      factors: body.factors ?? [],
      requestId: body.request_id ?? requestId,
      ...waits,
    });
  } catch (cause) {
    return new AdminProblem({
      status: 502,
      code: 'upstream-error',
      detail: 'The admin API returned an invalid response. Try again in a moment.',
      requestId,
      cause,
      ...waits,
    });
  }
}
