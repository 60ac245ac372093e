import type { Static } from 'typebox';
import { type Role, roleAtLeast } from '../actor.ts';
import type { Environment } from '../environment.ts';
import type { RpcContract } from '../rpc/contract.ts';

/**
 * The least role that a route needs; the services decide, this says it to documentation, tests and dashboard.
 * `public` needs no session. With two roles, `live` is for whatever affects live: a live key, a live payment, an
 * application that has live keys.
 */
export type Access = 'public' | Role | Record<Environment, Role> | 'installation-admin';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One route of the admin API: the HTTP face of one RPC. Members of the RPC's request that the path names come from there,
 * the others from the query (GET) or the body; those of `FILLED_BY_GATEWAY` from the request itself. The RPC's schema is what
 * all of them are checked by.
 */
export interface AdminRoute<Contract extends RpcContract = RpcContract> {
  method: Method;
  /** With `:name` for parameters. */
  path: `/admin/v1/${string}`;
  rpc: Contract;
  access: Access;
  /** Status of success; 204 has no body. */
  status: 200 | 201 | 204;
  summary: string;
  /** The change replaces what the caller has read: it needs an `If-Match` header. */
  ifMatch: 'required' | 'optional' | 'none';
}

/** Who asks, and what the caller had read: never taken from query or body. */
export const FILLED_BY_GATEWAY = ['address', 'user_agent', 'if_version'] as const;

/** What a caller sends to a route: the RPC's request without what the gateway fills in. */
export type RouteRequest<Route extends AdminRoute> = Omit<
  Static<Route['rpc']['request']>,
  (typeof FILLED_BY_GATEWAY)[number]
>;
export type RouteReply<Route extends AdminRoute> = Static<Route['rpc']['reply']>;

export function route<Contract extends RpcContract>(
  method: Method,
  path: string,
  rpc: Contract,
  more: { summary: string; access: Access; status?: AdminRoute['status'] },
): AdminRoute<Contract> {
  return {
    method,
    path: `/admin/v1${path}` as AdminRoute['path'],
    rpc,
    status: more.status ?? 200,
    summary: more.summary,
    access: more.access,
    ifMatch: ifMatchOf(method, rpc),
  };
}

/** A change of fields would undo, unseen, what another member changed meanwhile; a step such as archiving says itself what it does. */
function ifMatchOf(method: Method, rpc: RpcContract): AdminRoute['ifMatch'] {
  const { properties = {} } = rpc.request as { properties?: object };
  if (!Object.hasOwn(properties, 'if_version')) return 'none';
  return method === 'PUT' || method === 'PATCH' ? 'required' : 'optional';
}

/** Whether a member of this role may use a route, on something of this environment. */
export function roleAllows(access: Access, role: Role, environment: Environment): boolean {
  if (access === 'public') return true;
  // Being an installation admin is not a role: only the service knows.
  if (access === 'installation-admin') return false;
  return roleAtLeast(role, typeof access === 'string' ? access : access[environment]);
}
