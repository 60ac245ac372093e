import {
  type CallOptions,
  type AdminClient as Client,
  createAdminClient,
  requestOf,
} from '@tollgate/admin-client/admin-client';
import type { ProblemBody } from '@tollgate/admin-client/admin-problem';
import type { AdminRoute, RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ClientOptions } from '../api-client.ts';

export interface AdminResponse<Body> {
  status: number;
  headers: Headers;
  /** The body of a success; null when it is empty. Throws for an error: a test that expects one reads `problem`. */
  readonly body: Body;
  /** Null for a success. */
  problem: ProblemBody | null;
}

export interface AdminCaller extends Pick<Client, 'fetch'> {
  /** Sends the request of a route, like the client that it uses. Returns the response of any status. */
  call<Route extends AdminRoute>(
    route: Route,
    request: RouteRequest<Route>,
    options?: CallOptions,
  ): Promise<AdminResponse<RouteReply<Route>>>;
}

export interface AdminClient {
  /** A caller with a session token; null sends none. */
  as(session: string | null): AdminCaller;
}

export function adminClient(baseUrl: string, { timeoutMs }: ClientOptions = {}): AdminClient {
  return {
    as(token) {
      const { fetch } = createAdminClient({ baseUrl, token, timeoutMs });
      return {
        fetch,
        call: async (...request) => responseOf(await fetch(...requestOf(...request))),
      };
    },
  };
}

async function responseOf<Body>(response: Response): Promise<AdminResponse<Body>> {
  const text = await response.text();
  const content: unknown = text === '' ? null : JSON.parse(text);
  const problem = response.ok ? null : (content as ProblemBody);
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
