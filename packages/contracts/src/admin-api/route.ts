import type { Static } from 'typebox';
import type { Deprecation } from '../platform/deprecation.ts';
import type { Environment } from '../platform/environment.ts';
import type { ErrorCode } from '../platform/errors.ts';
import { mayRead, type RequiredRole, type Role, roleAtLeast } from '../platform/roles.ts';
import type { RpcContract } from '../platform/rpc-contract.ts';
import { Nothing } from '../platform/schema.ts';

/**
 * Lowest role that a route requires. The services enforce it; this declares it for documentation, tests, and the
 * dashboard. `public` needs no session. With a role per environment, `live` applies to everything that affects live: a
 * live key, a live payment, an application that has live keys. `toRead` also allows an auditor.
 */
export type Access =
  | 'public'
  | RequiredRole
  | Record<Environment, RequiredRole>
  | { toRead: RequiredRole }
  | 'installation-admin';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One route of the admin API: the HTTP interface of one RPC. Fields of the RPC request that the path names come from
 * the path, those of `FILLED_BY_GATEWAY` from the request itself, and the others from the query (GET) or the body. The
 * RPC's schema validates all of them.
 */
export interface AdminRoute<Contract extends RpcContract = RpcContract> {
  method: Method;
  /** The path, with `:name` for parameters. */
  path: `/admin/v1/${string}`;
  rpc: Contract;
  /** The RPC for API tokens if `rpc` is for members only. The route then has a response for each. */
  tokenRpc: RpcContract | null;
  access: Access;
  /** Whether the route accepts API tokens, as its RPCs declare. */
  tokens: boolean;
  /** Status of a successful response; 202 while the work continues, and 204 has no body. */
  status: 200 | 201 | 202 | 204;
  summary: string;
  /** Whether the change needs an `If-Match` header, because it replaces what the caller has read. */
  ifMatch: 'required' | 'optional' | 'none';
  /** Codes that the RPC may return, except those that follow from the other fields, such as `forbidden`. */
  errors: readonly ErrorCode[];
  /** Null while the route is current. */
  deprecation: Deprecation | null;
}

/** Origin of the request and the version that the caller read. Never taken from the query or the body. */
export const FILLED_BY_GATEWAY = ['address', 'user_agent', 'if_version'] as const;

/** The fields that a caller sends: the RPC request without those that the gateway fills in. */
export type RouteRequest<Route extends AdminRoute> = Omit<
  Static<Route['rpc']['request']>,
  (typeof FILLED_BY_GATEWAY)[number]
>;
export type RouteReply<Route extends AdminRoute> = Static<Route['rpc']['reply']>;

/** A route without what follows from its RPC. */
type RouteDefinition = Pick<AdminRoute, 'method' | 'path' | 'access' | 'summary'> &
  Partial<Pick<AdminRoute, 'tokenRpc' | 'status' | 'errors' | 'deprecation'>>;

/** @param line method and path, such as `GET /members` */
export function route(
  line: `${Method} /${string}`,
  access: Access,
  more: Omit<RouteDefinition, 'method' | 'path' | 'access'>,
): RouteDefinition {
  const [method, path] = line.split(' ') as [Method, `/${string}`];
  return { ...more, method, path: `/admin/v1${path}`, access };
}

/** The routes to the RPCs of a service: each to the RPC of its own name. */
export function routesOf<Rpcs extends object, Name extends string & keyof Rpcs>(
  rpcs: Rpcs,
  definitions: Record<Name, RouteDefinition>,
): { [Each in Name]: AdminRoute<Extract<Rpcs[Each], RpcContract>> } {
  const routes = Object.entries<RouteDefinition>(definitions).map(([name, definition]) => {
    const rpc = rpcs[name as Name] as RpcContract;
    const { tokenRpc = null } = definition;
    const route: AdminRoute = {
      rpc,
      status: rpc.idempotent ? 201 : rpc.reply === Nothing ? 204 : 200,
      errors: [],
      deprecation: null,
      ...definition,
      tokenRpc,
      tokens: (tokenRpc ?? rpc).caller === 'member-or-token',
      ifMatch: ifMatchOf(definition.method, rpc),
    };
    return [name, route];
  });
  return Object.fromEntries(routes);
}

/** A change of fields could silently undo another member's change. A step such as archiving has only one meaning. */
function ifMatchOf(method: Method, rpc: RpcContract): AdminRoute['ifMatch'] {
  const { properties = {} } = rpc.request as { properties?: object };
  if (!Object.hasOwn(properties, 'if_version')) return 'none';
  return method === 'PUT' || method === 'PATCH' ? 'required' : 'optional';
}

/** Every RPC that a route calls. */
export function rpcsOf({ rpc, tokenRpc }: AdminRoute): RpcContract[] {
  return tokenRpc ? [rpc, tokenRpc] : [rpc];
}

/** Returns true if a member of this role may use a route on a resource of this environment. */
export function roleAllows(access: Access, role: Role, environment: Environment): boolean {
  if (access === 'public') return true;
  // An installation admin is not a role: only the service knows.
  if (access === 'installation-admin') return false;
  if (typeof access === 'string') return roleAtLeast(role, access);
  return 'toRead' in access ? mayRead(role, access.toRead) : roleAtLeast(role, access[environment]);
}
