import type { AdminRoute, FILLED_BY_GATEWAY } from '@tollgate/contracts/admin-api/route';
import { fieldErrors } from '@tollgate/contracts/platform/field-errors';
import { Problem } from '@tollgate/contracts/platform/problem';
import { parseStrictJson } from '@tollgate/http/strict-json';
import type { FastifyRequest } from 'fastify';
import Type, { type TProperties } from 'typebox';
import { Compile } from 'typebox/compile';
import { readIfMatch, rejectIfMatch } from './if-match.ts';
import { createReadQuery } from './query-parameters.ts';
import { userAgent } from './request-origin.ts';
import { requestParts } from './request-parts.ts';

type Members = Record<string, unknown>;

/**
 * Maps an HTTP request to the RPC's request. Throws Problem: not-found, malformed-request, invalid-request,
 * precondition-required.
 */
export type ReadRequest = (request: FastifyRequest) => Members;

export function createReadRequest(route: AdminRoute): ReadRequest {
  const { path, sent, filled } = requestParts(route);
  const readPath = createReadPath(path);
  const readQuery = createReadQuery(sent);
  const readBody = createReadBody(sent);
  const fill: Record<(typeof FILLED_BY_GATEWAY)[number], (request: FastifyRequest) => unknown> = {
    address: ({ clientAddress }) => clientAddress,
    user_agent: userAgent,
    if_version: (request) => readIfMatch(request.headers['if-match'], route.ifMatch),
  };

  return function readRequest(request) {
    const members: Members = {
      ...readPath(request),
      ...(route.method === 'GET' ? readQuery(request.raw.url ?? '') : readBody(request.body)),
    };
    if (route.method !== 'GET' && route.ifMatch === 'none') rejectIfMatch(request.headers['if-match']);
    for (const name of Object.keys(filled) as (keyof typeof fill)[]) {
      const value = fill[name](request);
      if (value !== undefined) members[name] = value;
    }
    return members;
  };
}

function createReadPath(properties: TProperties): ReadRequest {
  const ids = Object.entries(properties).map(([name, schema]) => ({ name, schema: Compile(schema) }));
  return (request) => {
    const params = request.params as Record<string, string>;
    const members: Members = {};
    for (const { name, schema } of ids) {
      const value = name === 'session_id' && params[name] === 'current' ? request.session?.id : params[name];
      // A malformed id is treated like an unknown one.
      if (!schema.Check(value)) throw new Problem('not-found', 'No resource has this ID.');
      members[name] = value;
    }
    return members;
  };
}

/** A missing body counts as `{}`. */
function createReadBody(properties: TProperties): (body: unknown) => Members {
  const schema = Compile(Type.Object(properties, { additionalProperties: false }));
  return (body) => {
    const value = Buffer.isBuffer(body) && body.length > 0 ? parseStrictJson(body) : {};
    if (schema.Check(value)) return value as Members;
    throw new Problem('invalid-request', 'The body is not valid. `errors` names each field.', {
      errors: fieldErrors(schema.Errors(value)),
    });
  };
}
