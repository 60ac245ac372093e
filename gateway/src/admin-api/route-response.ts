import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import type { AdminRouteName } from '@tollgate/contracts/admin-api/routes';
import { entityTag, ifNoneMatchNames } from '@tollgate/http/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Locations of created resources. Routes whose resources have no route of their own are missing here. */
const LOCATIONS: { [Name in AdminRouteName]?: (reply: never) => string } = {
  createApplication: ({ id }: { id: string }) => `/admin/v1/applications/${id}`,
  createKey: ({ id }: { id: string }) => `/admin/v1/keys/${id}`,
  rotateKey: ({ id }: { id: string }) => `/admin/v1/keys/${id}`,
  createEndpoint: ({ id }: { id: string }) => `/admin/v1/webhook-endpoints/${id}`,
  createToken: ({ id }: { id: string }) => `/admin/v1/api-tokens/${id}`,
  rotateToken: ({ id }: { id: string }) => `/admin/v1/api-tokens/${id}`,
  createTeam: ({ team }: { team: { id: string } }) => `/admin/v1/teams/${team.id}`,
  setUp: ({ team }: { team: { id: string } }) => `/admin/v1/teams/${team.id}`,
};

/** Names of the routes that return a `Location`. */
export const LOCATED_ROUTES: ReadonlySet<string> = new Set(Object.keys(LOCATIONS));

/** Sends the RPC's reply as the response: status, `ETag` if there is a version, `Location` of a created resource. */
export function sendResponse(
  [name, route]: [string, AdminRoute],
  body: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.code(route.status);
  if (route.status === 204) return reply.send();
  const locate = LOCATIONS[name as AdminRouteName];
  if (locate) reply.header('location', locate(body as never));
  const tag = tagOf(body);
  if (tag !== null) {
    reply.header('etag', tag);
    if (route.method === 'GET' && ifNoneMatchNames(request.headers['if-none-match'], tag)) {
      return reply.code(304).send();
    }
  }
  // As bytes: Fastify adds a charset to a string, which RFC 8259 §11 does not define for this type.
  return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(body)));
}

function tagOf(body: unknown): string | null {
  const { version } = body as { version?: unknown };
  return typeof version === 'number' ? entityTag(version) : null;
}
