import type { Access, AdminRoute } from '@tollgate/contracts/admin-api/route';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import Type, { type TProperties, type TSchema } from 'typebox';
import { withDeprecation } from '../docs/openapi-deprecation.ts';
import { errorResponses } from '../docs/openapi-errors.ts';
import { deprecationHeaderRefs, headerRef, RATE_LIMIT_HEADERS } from '../docs/openapi-headers.ts';
import { idempotencyKeyParameter } from '../docs/openapi-idempotency-key.ts';
import type { DocumentSchemas } from '../docs/openapi-schemas.ts';
import { requestParts } from './request-parts.ts';
import { LOCATED_ROUTES } from './route-response.ts';

/** Describes one admin route as an OpenAPI operation. */
export function describeRoute(name: string, route: AdminRoute, schemas: DocumentSchemas): object {
  const { path, sent } = requestParts(route);
  const isQuery = route.method === 'GET';
  const hasBody = !isQuery && Object.keys(sent).length > 0;
  const deprecation = deprecationHeaderRefs(route.deprecation);
  return {
    operationId: name,
    summary: route.summary,
    description: withDeprecation(accessText(route.access), route.deprecation),
    tags: [route.rpc.service],
    ...(route.deprecation && { deprecated: true }),
    ...securityOf(route),
    parameters: [
      ...parameters('path', path, schemas),
      ...(isQuery ? parameters('query', sent, schemas) : []),
      ...conditionalHeaders(route),
      ...(route.rpc.idempotent ? [idempotencyKeyParameter(REPLAY_TEXT)] : []),
    ],
    ...(hasBody && { requestBody: requestBody(name, route, sent, schemas) }),
    responses: {
      ...success(name, route, schemas, deprecation),
      ...errorResponses(errorsOf(route, hasBody), () => ({ ...RATE_LIMIT_HEADERS, ...deprecation })),
    },
  };
}

/** The document declares what most routes accept: a session or an API token. */
function securityOf({ access, tokens }: AdminRoute): { security?: object[] } {
  if (access === 'public') return { security: [] };
  return tokens ? {} : { security: [{ session: [] }] };
}

export function accessText(access: Access): string {
  if (access === 'public') return 'Requires no session.';
  if (access === 'installation-admin') return 'Requires an administrator of the installation.';
  if (typeof access === 'string') return `Requires the role \`${access}\` or higher.`;
  if ('toRead' in access) return `Requires the role \`${access.toRead}\` or higher, or \`auditor\`.`;
  return `Requires the role \`${access.sandbox}\` or higher, and \`${access.live}\` where it affects live.`;
}

export function parameters(
  place: 'path' | 'query',
  properties: TProperties,
  schemas: DocumentSchemas,
): object[] {
  const required = requiredOf(Type.Object(properties));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: schemas.request(schema),
  }));
}

/** How replays work on every route that takes an idempotency key. */
const REPLAY_TEXT =
  'The same key with the same request creates one resource and returns it again, without its secret. A key is bound to the caller and the operation for 24 hours.';

function requestBody(name: string, { rpc }: AdminRoute, sent: TProperties, schemas: DocumentSchemas): object {
  const { minProperties } = rpc.request as { minProperties?: number };
  const body = Type.Object(sent, {
    additionalProperties: false,
    ...(minProperties !== undefined && { minProperties }),
  });
  return {
    required: requiredOf(body).length > 0 || minProperties !== undefined,
    content: { 'application/json': { schema: schemas.namedRequest(`${capitalized(name)}Request`, body) } },
  };
}

function requiredOf(schema: TSchema): readonly string[] {
  return (schema as { required?: string[] }).required ?? [];
}

function conditionalHeaders(route: AdminRoute): object[] {
  const header = (name: string, required: boolean, description: string) => [
    { name, in: 'header', required, description, schema: { type: 'string' } },
  ];
  if (hasVersion(route.rpc.reply) && route.method === 'GET') {
    return header('If-None-Match', false, '`ETag` of an earlier response.');
  }
  if (route.ifMatch === 'none') return [];
  return header('If-Match', route.ifMatch === 'required', '`ETag` that you read, or `*` for any version.');
}

function success(
  name: string,
  route: AdminRoute,
  schemas: DocumentSchemas,
  deprecation: Record<string, object>,
): Record<string, object> {
  const hasContent = route.status !== 204;
  const tagged = hasContent && hasVersion(route.rpc.reply);
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...RATE_LIMIT_HEADERS,
    ...(tagged && { ETag: headerRef('ETag') }),
    ...(LOCATED_ROUTES.has(name) && { Location: headerRef('Location') }),
    ...(route.rpc.idempotent && { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    ...deprecation,
  };
  return {
    [route.status]: {
      description: { 200: 'The response.', 201: 'Created.', 202: 'Accepted.', 204: 'No content.' }[
        route.status
      ],
      headers,
      ...(hasContent && {
        content: {
          'application/json': {
            schema: schemas.namedResponse(`${capitalized(name)}Response`, replyOf(route)),
          },
        },
      }),
    },
    ...(tagged && route.method === 'GET' && { 304: { description: 'Not modified.', headers } }),
  };
}

/** The reply to a member, or to an API token. */
function replyOf({ rpc, tokenRpc }: AdminRoute): TSchema {
  return tokenRpc ? Type.Union([rpc.reply, tokenRpc.reply]) : rpc.reply;
}

function hasVersion(schema: TSchema): boolean {
  return hasProperty(schema, 'version');
}

function isList(schema: TSchema): boolean {
  return hasProperty(schema, 'data');
}

function hasProperty(schema: TSchema, name: string): boolean {
  const { properties = {} } = schema as { properties?: TProperties };
  return Object.hasOwn(properties, name);
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Errors that any operation can return. */
const COMMON_ERRORS = [
  'malformed-request',
  'invalid-request',
  'not-acceptable',
  'rate-limited',
  'internal',
  'upstream-error',
  'unavailable',
  'upstream-timeout',
] as const satisfies ErrorCode[];

/** Errors that any operation with a session or an API token can return. */
export const SESSION_ERRORS = [
  ...COMMON_ERRORS,
  'unauthenticated',
  'invalid-session',
  'invalid-api-token',
  'ip-not-allowed',
  'second-factor-setup-required',
  'forbidden',
] as const satisfies ErrorCode[];

function errorsOf(route: AdminRoute, hasBody: boolean): ErrorCode[] {
  const codes: ErrorCode[] = route.access === 'public' ? [...COMMON_ERRORS] : [...SESSION_ERRORS];
  // An id with a character such as `;` does not match the path.
  if (route.path.includes(':')) codes.push('not-found', 'route-not-found');
  if (isList(route.rpc.reply)) codes.push('reply-too-large', 'query-timeout');
  if (route.method === 'POST') codes.push('invalid-idempotency-key');
  if (route.rpc.idempotent) codes.push('idempotency-key-reused');
  if (hasBody) codes.push('content-too-large', 'unsupported-media-type', 'unsupported-transfer-encoding');
  if (route.ifMatch !== 'none') codes.push('precondition-failed');
  if (route.ifMatch === 'required') codes.push('precondition-required');
  return [...codes, ...route.errors];
}
