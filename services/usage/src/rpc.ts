import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, type RpcServerOptions, serveRpcs } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { wholeList } from '@tollgate/contracts/platform/page';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import * as contract from '@tollgate/contracts/usage/rpc';
import {
  narrowEnvironment,
  requireAllEnvironments,
  requireEnvironment,
} from '@tollgate/security/require-environment';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { Context } from './context.ts';
import { queryUsage } from './queries/query-usage.ts';
import { totalUsage } from './queries/total-usage.ts';
import { usageProgress } from './queries/usage-progress.ts';
import { listRequests } from './request-log/list-requests.ts';
import type { RequestStore } from './request-log/request-store.ts';

/** Serves `rpc.usage.*`. Every role reads the usage of its own team. */
export function serveUsageRpc(bus: Bus, context: Context, options: RpcServerOptions): RpcServer {
  const queries = createTeamQueries();
  return serveRpcs(bus, options, (serve) => [
    serve(contract.queryUsage, (request, { actor }) =>
      queries.run(actor.team_id, () => queryUsage(context, actor.team_id, narrowed(request, actor))),
    ),
    serve(contract.totalUsage, (request, { actor }) =>
      queries.run(actor.team_id, () => totalUsage(context, actor.team_id, narrowed(request, actor))),
    ),
    serve(contract.listRequests, (request, { actor }) =>
      queries.run(actor.team_id, () => listRequests(context.requests, actor, request)),
    ),
    serve(contract.getRequest, ({ request_id }, { actor }) =>
      findRequest(context.requests, actor, request_id),
    ),
    serve(contract.keyUses, async ({ application_id }, { actor }) => {
      // The last use of a key is stored without its environment.
      requireAllEnvironments(actor, 'read when keys were last used');
      const uses = await context.keyUses.list(actor.team_id, application_id);
      return wholeList(
        uses.map(({ keyId, lastUsedAt }) => ({ key_id: keyId, last_used_at: lastUsedAt.toISOString() })),
      );
    }),
    serve(contract.confirmWindows, async ({ gateway_id, numbers }) => ({
      stored: await context.knownNumbers.find(gateway_id, numbers),
    })),
    serve(contract.usageProgress, (_request, { actor }) => usageProgress(context, actor.team_id)),
  ]);
}

async function findRequest(requests: RequestStore, actor: Actor, id: string): Promise<LoggedRequest> {
  const request = await requests.find(actor.team_id, id);
  if (!request)
    throw new Problem('not-found', `Your team has no request ${id}, or it is not stored any more.`);
  requireEnvironment(actor, request.environment);
  return request;
}

/** The query, limited to the environments that the actor may use. */
function narrowed<Query extends { environment?: Environment }>(query: Query, actor: Actor): Query {
  const environment = narrowEnvironment(actor, query.environment);
  return environment === undefined ? query : { ...query, environment };
}
