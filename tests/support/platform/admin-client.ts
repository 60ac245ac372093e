import type { AdminRoute, RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { FieldError } from '@tollgate/contracts/platform/problem';
import type { ClientOptions } from '../api-client.ts';

/** `application/problem+json`, as the admin API returns it. */
export interface AdminProblem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  retryable: boolean;
  errors?: FieldError[];
}

export interface AdminResponse<Body> {
  status: number;
  headers: Headers;
  /** The body of a success; null when it is empty. Throws for an error: a test that expects one reads `problem`. */
  readonly body: Body;
  /** Null for a success. */
  problem: AdminProblem | null;
}

export interface AdminRequestOptions {
  /** A version, or the whole header value (`*`). */
  ifMatch?: number | string;
  headers?: Record<string, string>;
}

export interface AdminCaller {
  /** Sends the request of a route: path parameters into the path, the rest as query (GET) or JSON body. */
  call<Route extends AdminRoute>(
    route: Route,
    request: RouteRequest<Route>,
    options?: AdminRequestOptions,
  ): Promise<AdminResponse<RouteReply<Route>>>;
  /** Sends any other request with the session. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface AdminClient {
  /** A caller with a session token; null sends none. */
  as(session: string | null): AdminCaller;
}

export function adminClient(baseUrl: string, options: ClientOptions = {}): AdminClient {
  return { as: (session) => adminCaller(baseUrl, session, options) };
}

function adminCaller(baseUrl: string, session: string | null, { timeoutMs }: ClientOptions): AdminCaller {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (session !== null) headers.set('authorization', `Bearer ${session}`);
    const signal = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
    return fetch(new URL(path, baseUrl), { ...signal, ...init, headers });
  }
  return {
    fetch: send,
    async call(route, request, { ifMatch, headers = {} } = {}) {
      const { path, rest } = fillPath(route.path, request as Record<string, unknown>);
      const init: RequestInit & { headers: Record<string, string> } = {
        method: route.method,
        headers: { ...headers },
      };
      if (ifMatch !== undefined)
        init.headers['if-match'] = typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch;
      if (route.method === 'GET') return responseOf(await send(`${path}${queryOf(rest)}`, init));
      if (Object.keys(rest).length > 0) {
        init.headers['content-type'] = 'application/json';
        init.body = JSON.stringify(rest);
      }
      return responseOf(await send(path, init));
    },
  };
}

function fillPath(template: string, request: Record<string, unknown>) {
  const rest = { ...request };
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (typeof value !== 'string') throw new Error(`${template} needs ${name}.`);
    return encodeURIComponent(value);
  });
  return { path, rest };
}

/** A list becomes a repeated parameter. */
function queryOf(request: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    for (const item of [value].flat()) if (item !== undefined) query.append(name, String(item));
  }
  return query.size === 0 ? '' : `?${query}`;
}

async function responseOf<Body>(response: Response): Promise<AdminResponse<Body>> {
  const text = await response.text();
  const content: unknown = text === '' ? null : JSON.parse(text);
  const problem = response.ok ? null : (content as AdminProblem);
  return {
    status: response.status,
    headers: response.headers,
    problem,
    get body() {
      if (problem !== null) throw new Error(`The admin API rejected: ${text}`);
      return content as Body;
    },
  };
}
