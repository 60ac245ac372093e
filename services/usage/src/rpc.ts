import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serve } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { wholeList } from '@tollgate/contracts/platform/page';
import * as contract from '@tollgate/contracts/usage/rpc';
import { narrowEnvironment, requireAllEnvironments } from '@tollgate/security/require-environment';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { Context } from './context.ts';
import { queryUsage } from './queries/query-usage.ts';
import { totalUsage } from './queries/total-usage.ts';
import { findRequest, listRequests } from './request-log/read-requests.ts';

/** Serves `rpc.usage.*`. Every role reads the usage of its own team. */
export function serveUsageRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const { keyUses, knownNumbers } = context;
  const queries = createTeamQueries();
  return serve(
    bus,
    contract,
    {
      queryUsage: (request, { actor }) =>
        queries.run(actor.team_id, () => queryUsage(context, actor.team_id, narrowed(request, actor))),
      totalUsage: (request, { actor }) =>
        queries.run(actor.team_id, () => totalUsage(context, actor.team_id, narrowed(request, actor))),
      listRequests: (request, { actor }) =>
        queries.run(actor.team_id, () => listRequests(context, actor, request)),
      getRequest: ({ request_id }, { actor }) => findRequest(context, actor, request_id),
      async keyUses({ application_id }, { actor }) {
        // The last use of a key is stored without its environment.
        requireAllEnvironments(actor, 'read when keys were last used');
        const uses = await keyUses.list(actor.team_id, application_id);
        return wholeList(
          uses.map(({ _id, last_used_at }) => ({ key_id: _id, last_used_at: last_used_at.toISOString() })),
        );
      },
      confirmWindows: async ({ gateway_id, numbers }) => ({
        stored: await knownNumbers.find(gateway_id, numbers),
      }),
      usageProgress: (_request, { actor }) => usageProgress(context, actor.team_id),
    },
    options,
  );
}

/** The query, limited to the environments that the actor may use. */
function narrowed<Query extends { environment?: Environment }>(query: Query, actor: Actor): Query {
  const environment = narrowEnvironment(actor, query.environment);
  return environment === undefined ? query : { ...query, environment };
}

/** The time up to which the team's minutes are complete. Without any usage, there is none. */
async function usageProgress({ windows, levels, clock }: Context, teamId: string) {
  // Read before the waiting windows are: a window that arrives in between is later than this time.
  const now = new Date(clock.now());
  const waiting = await windows.waiting(teamId);
  const hasUsage = async () => (await levels.minute.hasAny(teamId)) || (await levels.day.hasAny(teamId));
  const completeTo = waiting.oldestAt ?? ((await hasUsage()) ? now : null);
  return { complete_to: completeTo?.toISOString() ?? null, windows_to_roll_up: waiting.windows };
}
