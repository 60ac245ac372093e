import { type AdminRoute, FILLED_BY_GATEWAY } from '@tollgate/contracts/admin-api/route';
import Type, { type TProperties } from 'typebox';

/** Sources of a route's request fields. Each field is in exactly one of them. */
export interface RequestParts {
  /** From the path. */
  path: TProperties;
  /** From the query (GET) or the body. */
  sent: TProperties;
  /** Set by the gateway. Callers cannot send them. */
  filled: TProperties;
}

export function requestParts({ path, rpc }: AdminRoute): RequestParts {
  const { properties = {} } = rpc.request as { properties?: TProperties };
  const parts: RequestParts = { path: {}, sent: {}, filled: {} };
  const named = new Set([...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name));
  for (const [name, schema] of Object.entries(properties)) {
    if (named.has(name)) parts.path[name] = schema;
    else if ((FILLED_BY_GATEWAY as readonly string[]).includes(name)) parts.filled[name] = schema;
    else parts.sent[name] = schema;
  }
  // A field that is optional in the RPC is required where the path names it.
  return { ...parts, path: Type.Required(Type.Object(parts.path)).properties };
}
