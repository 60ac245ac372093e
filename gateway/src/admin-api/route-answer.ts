import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import type { AdminRouteName } from '@tollgate/contracts/admin-api/routes';
import { entityTag, ifNoneMatchNames } from '@tollgate/http/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where the thing that a route has made is read. Routes whose things have no route of their own are not here. */
const LOCATIONS: { [Name in AdminRouteName]?: (reply: never) => string } = {
  createApplication: ({ id }: { id: string }) => `/admin/v1/applications/${id}`,
  createKey: ({ id }: { id: string }) => `/admin/v1/keys/${id}`,
  rotateKey: ({ id }: { id: string }) => `/admin/v1/keys/${id}`,
  createEndpoint: ({ id }: { id: string }) => `/admin/v1/webhook-endpoints/${id}`,
  createTeam: ({ team }: { team: { id: string } }) => `/admin/v1/teams/${team.id}`,
  setUp: ({ team }: { team: { id: string } }) => `/admin/v1/teams/${team.id}`,
};

/** Names of the routes that respond with a `Location`. */
export const LOCATED_ROUTES: ReadonlySet<string> = new Set(Object.keys(LOCATIONS));

/** Responds to a request with what the RPC replied: status, `ETag` where there is a version, `Location` of what was made. */
export function sendAnswer(
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
  // As bytes: to a text Fastify adds a charset, which RFC 8259 §11 does not define for this type.
  return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(body)));
}

function tagOf(body: unknown): string | null {
  const { version } = body as { version?: unknown };
  return typeof version === 'number' ? entityTag(version) : null;
}
