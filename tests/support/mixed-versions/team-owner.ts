import type { CallOptions } from '@tollgate/admin-client/admin-client';
import type { AdminRoute, RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { type Call, callWithSession } from '@tollgate/launcher/first-run/member-session';
import { adminClient } from '../platform/admin-client.ts';
import type { MixedPlatform } from './mixed-platform.ts';

const ACCOUNT = { email: 'owner@example.com', password: 'correct horse battery staple' };

/** The owner of the team, who uses the admin API of all gateways in turn. */
export interface TeamOwner {
  /** @throws Error with the problem if the admin API rejects the request */
  call<Route extends AdminRoute>(
    route: Route,
    request: RouteRequest<Route>,
    options?: CallOptions,
  ): Promise<RouteReply<Route>>;
  fetch(path: string): Promise<Response>;
  /** Calls an RPC, as a service of the current version does. */
  rpc: Call;
}

/** Sets up the installation, and signs in. */
export async function setUpTeam({ setupToken, bus, nextGateway }: MixedPlatform): Promise<TeamOwner> {
  const caller = (session: string | null) => adminClient(nextGateway().adminUrl).as(session);
  const setUp = { ...ACCOUNT, token: setupToken, name: 'Owner', team_name: 'Team' };
  const { problem } = await caller(null).call(ADMIN_ROUTES.setUp, setUp);
  if (problem !== null) throw new Error(`The setup failed: ${JSON.stringify(problem)}`);
  const { body: session } = await caller(null).call(ADMIN_ROUTES.signIn, ACCOUNT);
  return {
    call: async (route, request, options) => (await caller(session.token).call(route, request, options)).body,
    fetch: (path) => caller(session.token).fetch(path),
    rpc: callWithSession(bus, session.token),
  };
}
