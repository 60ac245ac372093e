import { randomUUID } from 'node:crypto';
import type { AdminRoute, RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { type AdminProblem, problemOf, unreachable } from './admin-problem.ts';

export interface AdminClientOptions {
  /** The origin of the admin API. */
  baseUrl: string;
  /** A session token or an API token; null sends none. */
  token: string | null;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /**
   * Whether the client lives for one page request of the dashboard. Then its calls share one exchange of the session, until one of them
   * changes something, which may have ended the session. Any other client would keep rights of up to a second ago.
   */
  isForOnePage?: boolean;
  /** A call without a complete response for so long fails. Without it, a call waits forever. */
  timeoutMs?: number | undefined;
  /** Called with each problem before it is thrown. May throw something else in its place. */
  onProblem?: (problem: AdminProblem) => void;
}

export interface CallOptions {
  /** The `version` that the caller has read, or `*` for any version. */
  ifMatch?: number | '*';
  /** The key of a call that creates a resource: a repeated call with the same key creates nothing. */
  idempotencyKey?: string | undefined;
  /** Sent with this request, and in place of the headers of the client. */
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

/** The fields of a route's request. Optional fields may also be undefined, which sends nothing. */
export type SentRequest<Route extends AdminRoute> = {
  [Field in keyof RouteRequest<Route>]: object extends Pick<RouteRequest<Route>, Field>
    ? RouteRequest<Route>[Field] | undefined
    : RouteRequest<Route>[Field];
};

type QueryFields = Record<string, unknown>;

/** Each method throws AdminProblem, what `onProblem` throws in its place, or the reason of the caller's signal. */
export interface AdminClient {
  /**
   * Calls a route of the table, for example `admin.call(ADMIN_ROUTES.getPayment, { payment_id })`. Returns an empty
   * object for a 204.
   */
  call<Route extends AdminRoute>(
    route: Route,
    request: SentRequest<Route>,
    options?: CallOptions,
  ): Promise<RouteReply<Route>>;
  /** Returns the JSON of a path that is not in the table. */
  read<Body>(path: string, init?: Init): Promise<Body>;
  /** Returns a streamed response (CSV, server-sent events) as it arrives, without a timeout. */
  open(path: string, query: QueryFields, signal?: AbortSignal): Promise<Response>;
  /** Returns a response of any status. */
  fetch(path: string, init?: Init): Promise<Response>;
}

export function createAdminClient(options: AdminClientOptions): AdminClient {
  const { baseUrl, token, isForOnePage = false, timeoutMs, onProblem } = options;
  const clientHeaders = { ...options.headers, ...(token !== null && { authorization: `Bearer ${token}` }) };

  let pageRequest = randomUUID();

  function failed(problem: AdminProblem): AdminProblem {
    onProblem?.(problem);
    return problem;
  }

  /** Runs a part of an exchange that fails only if the connection does. */
  async function connected<Result>(signal: Init['signal'], run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (signal?.aborted && !(signal.reason instanceof DOMException)) throw error;
      throw failed(unreachable(error));
    }
  }

  function withTimeout(init: Init): Init {
    if (timeoutMs === undefined) return init;
    const timeout = AbortSignal.timeout(timeoutMs);
    return { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout };
  }

  async function send(path: string, init: Init): Promise<Response> {
    const headers = {
      ...clientHeaders,
      ...(isForOnePage && { [HEADERS.pageRequest]: pageRequest }),
      ...init.headers,
    };
    try {
      // A redirect could send the token elsewhere.
      const request = { ...init, headers, redirect: 'error' } as const;
      return await connected(init.signal, () => fetch(new URL(path, baseUrl), request));
    } finally {
      if ((init.method ?? 'GET') !== 'GET') pageRequest = randomUUID();
    }
  }

  async function succeed(path: string, init: Init): Promise<Response> {
    const response = await send(path, init);
    if (response.ok) return response;
    throw failed(problemOf(response, await connected(init.signal, () => response.text())));
  }

  async function read<Body>(path: string, init: Init = {}): Promise<Body> {
    const limited = withTimeout(init);
    const response = await succeed(path, limited);
    if (response.status === 204) return {} as Body;
    const text = await connected(limited.signal, () => response.text());
    try {
      return JSON.parse(text) as Body;
    } catch {
      throw failed(problemOf(response, text));
    }
  }

  return {
    call: (route, request, more) => read(...requestOf(route, request, more)),
    read,
    open: (path, query, signal) => succeed(`${path}${queryOf(query)}`, { signal: signal ?? null }),
    fetch: (path, init = {}) => send(path, withTimeout(init)),
  };
}

/** The HTTP request of a route: path parameters in the path, the other fields in the query (GET) or the body. */
export function requestOf<Route extends AdminRoute>(
  { method, path: template }: Route,
  request: SentRequest<Route>,
  { ifMatch, idempotencyKey, headers, signal }: CallOptions = {},
): [path: string, init: Init] {
  const fields: QueryFields = { ...request };
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields[name];
    delete fields[name];
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`The request for ${template} lacks ${name}.`);
    return encodeURIComponent(value);
  });
  const hasBody = method !== 'GET' && Object.keys(fields).length > 0;
  const init: Init = {
    method,
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch === '*' ? ifMatch : `"${ifMatch}"` }),
      ...(idempotencyKey !== undefined && { [HEADERS.idempotencyKey]: idempotencyKey }),
      ...headers,
    },
  };
  if (hasBody) init.body = JSON.stringify(fields);
  return [method === 'GET' ? `${path}${queryOf(fields)}` : path, init];
}

/** A query with its `?`, or an empty text. A list becomes a repeated parameter. */
function queryOf(fields: QueryFields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) if (item !== undefined) query.append(name, String(item));
  }
  return query.size === 0 ? '' : `?${query}`;
}
