import type { Access, AdminRoute } from '@tollgate/contracts/admin-api/route';
import type { ErrorCode } from '@tollgate/contracts/errors';
import Type, { type TProperties, type TSchema } from 'typebox';
import { errorResponses, headerRef } from '../docs/openapi-parts.ts';
import { requestParts } from './request-parts.ts';
import { LOCATED_ROUTES } from './route-response.ts';

/** Describes one admin route as an OpenAPI operation. */
export function describeRoute(name: string, route: AdminRoute, docsBaseUrl: string): object {
  const { path, sent } = requestParts(route);
  const isQuery = route.method === 'GET';
  const body =
    isQuery || Object.keys(sent).length === 0 ? null : Type.Object(sent, { additionalProperties: false });
  return {
    operationId: name,
    summary: route.summary,
    description: accessText(route.access),
    tags: [route.rpc.service],
    ...(route.access === 'public' && { security: [] }),
    parameters: [
      ...parameters('path', path),
      ...(isQuery ? parameters('query', sent) : []),
      ...conditionalHeaders(route),
    ],
    ...(body && {
      requestBody: {
        required: ((body as { required?: string[] }).required ?? []).length > 0,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: { ...success(name, route), ...errorResponses(errorsOf(name, route, body), docsBaseUrl) },
  };
}

export function accessText(access: Access): string {
  if (access === 'public') return 'Requires no session.';
  if (access === 'installation-admin') return 'Requires an administrator of the installation.';
  if (typeof access === 'string') return `Requires the role \`${access}\` or higher.`;
  return `Requires the role \`${access.sandbox}\` or higher, and \`${access.live}\` where it affects live.`;
}

export function parameters(place: 'path' | 'query', properties: TProperties): object[] {
  const { required = [] } = Type.Object(properties) as { required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
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

function success(name: string, route: AdminRoute): Record<string, object> {
  const text = (description: string) => ({ description, schema: { type: 'string' } });
  const tagged = route.status !== 204 && hasVersion(route.rpc.reply);
  const response = {
    description: route.status === 204 ? 'No content.' : route.status === 201 ? 'Created.' : 'The response.',
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(tagged && { ETag: text('Changes with `version`.') }),
      ...(LOCATED_ROUTES.has(name) && { Location: text('Path of the created resource.') }),
    },
    ...(route.status !== 204 && { content: { 'application/json': { schema: route.rpc.reply } } }),
  };
  return {
    [route.status]: response,
    ...(tagged && route.method === 'GET' && { 304: { description: 'Not modified.' } }),
  };
}

/** The properties of an intersection are in its parts. */
function hasVersion(schema: TSchema): boolean {
  const { properties = {}, allOf = [] } = schema as { properties?: TProperties; allOf?: TSchema[] };
  return Object.hasOwn(properties, 'version') || allOf.some(hasVersion);
}

/** Errors that any request can get. */
const COMMON_ERRORS = [
  'malformed-request',
  'invalid-request',
  'method-not-allowed',
  'not-acceptable',
  'internal',
  'upstream-error',
  'reply-too-large',
  'unavailable',
  'upstream-timeout',
] as const satisfies ErrorCode[];

export const SESSION_ERRORS = [
  ...COMMON_ERRORS,
  'unauthenticated',
  'invalid-session',
  'forbidden',
] as const satisfies ErrorCode[];

/** Errors of single routes that do not follow from the route's declaration. */
const ERRORS_OF: Partial<Record<string, ErrorCode[]>> = {
  setUp: ['conflict', 'forbidden', 'too-many-attempts'],
  signIn: ['sign-in-failed', 'second-factor-required', 'too-many-attempts'],
  changeRole: ['last-owner'],
  removeMember: ['last-owner'],
};

function errorsOf(name: string, route: AdminRoute, body: object | null): ErrorCode[] {
  const codes: ErrorCode[] = route.access === 'public' ? [...COMMON_ERRORS] : [...SESSION_ERRORS];
  if (route.path.includes(':')) codes.push('not-found');
  if (route.method !== 'GET') codes.push('conflict');
  if (body) codes.push('content-too-large', 'unsupported-media-type');
  if (route.ifMatch !== 'none') codes.push('precondition-failed');
  if (route.ifMatch === 'required') codes.push('precondition-required');
  return [...new Set([...codes, ...(ERRORS_OF[name] ?? [])])];
}
