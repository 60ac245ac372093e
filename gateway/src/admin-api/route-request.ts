import { ACCOUNT_LIMITS } from '@tollgate/contracts/account';
import { type AdminRoute, FILLED_BY_GATEWAY } from '@tollgate/contracts/admin-api/route';
import { fieldErrors } from '@tollgate/contracts/field-errors';
import { type FieldError, Problem } from '@tollgate/contracts/problem';
import { parseStrictJson } from '@tollgate/service-kit/strict-json';
import type { FastifyRequest } from 'fastify';
import Type, { type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { readIfMatch, refuseIfMatch } from './if-match.ts';
import { personAddress } from './person-address.ts';
import { readQuery } from './query-parameters.ts';

/** Where the members of a route's request come from. */
export interface RequestParts {
  /** Names in the path. */
  path: readonly string[];
  /** Members of the query (GET) or the body. */
  sent: TProperties;
  /** Members that only the gateway may fill in. */
  filled: readonly string[];
}

export function requestParts(route: AdminRoute): RequestParts {
  const { properties = {} } = route.rpc.request as { properties?: TProperties };
  const path = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name as string);
  const filled = FILLED_BY_GATEWAY.filter((name) => Object.hasOwn(properties, name));
  const elsewhere = new Set<string>([...path, ...filled]);
  const sent = Object.entries(properties).filter(([name]) => !elsewhere.has(name));
  return { path, filled, sent: Object.fromEntries(sent) };
}

/** Schema of what a caller sends in the query or the body; members that the RPC requires are required here. */
export function sentSchema(parts: RequestParts): TSchema {
  return Type.Object(parts.sent, { additionalProperties: false });
}

/** Makes the RPC's request from an HTTP request. Throws Problem: not-found, malformed-request, invalid-request, precondition-required. */
export type ReadRequest = (request: FastifyRequest) => Record<string, unknown>;

export function createReadRequest(route: AdminRoute): ReadRequest {
  const parts = requestParts(route);
  const { properties = {} } = route.rpc.request as { properties?: TProperties };
  const ids = parts.path.map((name) => ({ name, schema: Compile(properties[name] as TSchema) }));
  const sent = Compile(sentSchema(parts));

  function readPath(request: FastifyRequest): Record<string, string> {
    const params = request.params as Record<string, string>;
    const members: Record<string, string> = {};
    for (const { name, schema } of ids) {
      const value = name === 'session_id' && params[name] === 'current' ? request.session?.id : params[name];
      // What cannot be an id names nothing, like an id that nothing has.
      if (!schema.Check(value)) throw new Problem('not-found', 'There is nothing with this id.');
      members[name] = value as string;
    }
    return members;
  }

  function readSent(request: FastifyRequest): Record<string, unknown> {
    const isQuery = route.method === 'GET';
    const value = isQuery ? readQuery(request.raw.url ?? '', parts.sent) : readBody(request.body);
    if (sent.Check(value)) return value as Record<string, unknown>;
    const errors = fieldErrors(sent.Errors(value));
    throw isQuery
      ? new Problem('invalid-request', 'The query is not valid; `errors` names each parameter.', {
          errors: errors.map(toParameter),
        })
      : new Problem('invalid-request', 'The body is not valid; `errors` names each field.', { errors });
  }

  const fill: Record<(typeof FILLED_BY_GATEWAY)[number], (request: FastifyRequest) => unknown> = {
    address: personAddress,
    user_agent: (request) => request.headers['user-agent']?.slice(0, ACCOUNT_LIMITS.userAgent) ?? null,
    if_version: (request) => readIfMatch(request.headers['if-match'], route.ifMatch),
  };

  return function readRequest(request) {
    const members: Record<string, unknown> = { ...readPath(request), ...readSent(request) };
    if (route.method !== 'GET' && route.ifMatch === 'none') refuseIfMatch(request.headers['if-match']);
    for (const name of FILLED_BY_GATEWAY) {
      if (!parts.filled.includes(name)) continue;
      const value = fill[name](request);
      if (value !== undefined) members[name] = value;
    }
    return members;
  };
}

/** An absent body is `{}`. */
function readBody(body: unknown): unknown {
  return Buffer.isBuffer(body) && body.length > 0 ? parseStrictJson(body) : {};
}

/** An error of the RPC's request as one of the HTTP request: what the path or query names is a parameter, not a member of the body. */
export function toHttpError(error: FieldError, route: AdminRoute, parts: RequestParts): FieldError {
  const name = nameOf(error.pointer);
  if (name === null) return error;
  if (name === 'if_version') return { header: 'If-Match', code: error.code, detail: error.detail };
  return route.method === 'GET' || parts.path.includes(name) ? toParameter(error) : error;
}

function toParameter(error: FieldError): FieldError {
  const name = nameOf(error.pointer);
  return name === null ? error : { parameter: name, code: error.code, detail: error.detail };
}

/** First name of an RFC 6901 pointer. */
function nameOf(pointer: string | undefined): string | null {
  const [, name] = pointer?.split('/') ?? [];
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}
