import type { AdminRoute, RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { SharedPlatform } from '../../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../../support/platform/test-application.ts';
import type { TestMember, TestTeam } from '../../../support/platform/test-team.ts';

/** The resources that requests refer to. */
export interface Scene {
  platform: SharedPlatform;
  team: TestTeam;
  /** The application of the team, whose keys create payments. */
  application: TestApplication;
}

export interface Caller {
  team: TestTeam;
  member: TestMember;
}

/** A request that succeeds when the caller's role allows it: each preparation creates its own resources. */
export interface Prepared<Request = object> {
  request: Request;
  /** Replaces the caller's own session when the request would end that. */
  session?: string;
  /** Replaces the caller's own API token. */
  apiToken?: string;
}

type Prepare<Route extends AdminRoute> = (
  scene: Scene,
  at: { environment: Environment; caller: Caller },
) => Promise<Prepared<RouteRequest<Route>>>;

/** A request for every route of a table. */
export type Requests<Routes extends Record<string, AdminRoute>> = {
  [Name in keyof Routes]: Prepare<Routes[Name]>;
};

/** A request that needs no preparation. */
export const plain =
  <Request>(request: Request) =>
  async () => ({ request });
