import { type AdminRoute, FILLED_BY_GATEWAY } from '@tollgate/contracts/admin-api/route';
import type { TProperties } from 'typebox';

/** Where the members of a route's request come from: each is in exactly one of these. */
export interface RequestParts {
  /** Named by the path. */
  path: TProperties;
  /** Of the query (GET) or the body. */
  sent: TProperties;
  /** Filled in by the gateway; nobody else can say them. */
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
  return parts;
}
