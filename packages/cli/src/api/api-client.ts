import type { AdminRoute, RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { UsageError } from '../command.ts';
import { RequestRejected, type ResponseProblem } from './request-rejected.ts';

/** Longer than the longest wait of the feed, and than the deadlines of the gateway. */
const TIMEOUT_MS = 40 * SECOND_MS;

/** The request got no response, so that its outcome is unknown. */
export class ConnectionFailed extends UsageError {}

/** Optional fields may also be undefined, which sends nothing. */
type Sent<Request> = {
  [Field in keyof Request]: object extends Pick<Request, Field> ? Request[Field] | undefined : Request[Field];
};

export interface AdminApi {
  /**
   * Sends the request of a route: path parameters into the path, the rest as query (GET) or JSON body.
   *
   * @throws RequestRejected, ConnectionFailed
   */
  call<Route extends AdminRoute>(
    route: Route,
    request: Sent<RouteRequest<Route>>,
    options?: { signal?: AbortSignal | undefined; idempotencyKey?: string },
  ): Promise<RouteReply<Route>>;
}

/** @param token null for the few requests that need none */
export function createAdminApi(baseUrl: string, token: string | null): AdminApi {
  return {
    async call(route, request, { signal, idempotencyKey } = {}) {
      const { path, rest } = fillPath(route.path, request as Record<string, unknown>);
      const isRead = route.method === 'GET';
      const headers: Record<string, string> = { accept: 'application/json' };
      if (token !== null) headers['authorization'] = `Bearer ${token}`;
      if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
      if (!isRead) headers['content-type'] = 'application/json';
      const url = new URL(path, baseUrl);
      if (isRead) url.search = queryOf(rest).toString();
      return send(url, {
        method: route.method,
        headers,
        body: isRead ? null : JSON.stringify(rest),
        // A redirect could send the token elsewhere.
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
      });
    },
  };
}

/** Sends a request, and reads its JSON. @throws RequestRejected, ConnectionFailed; the reason of the signal */
export async function send<Body>(url: URL, init: RequestInit): Promise<Body> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, init);
    text = await response.text();
  } catch (error) {
    if (init.signal?.aborted && !(init.signal.reason instanceof DOMException)) throw error;
    throw new ConnectionFailed(
      `${url.origin} does not respond: ${causeOf(error as Error)}. Check that Tollgate runs, and the address.`,
    );
  }
  if (!response.ok) throw new RequestRejected(response.status, parse(text) as ResponseProblem);
  return parse(text) as Body;
}

/** An empty object for what is not JSON, such as the page of a proxy. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** `fetch failed` alone says nothing. */
function causeOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message;
}

function fillPath(template: string, request: Record<string, unknown>) {
  const rest = { ...request };
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

function queryOf(request: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    for (const item of [value].flat()) if (item !== undefined) query.append(name, String(item));
  }
  return query;
}
