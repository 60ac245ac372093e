import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import {
  ADMIN_ROUTES,
  PAYMENTS_CSV_PATH,
  STREAM_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import { exampleComponents, usedErrorCodes } from '../docs/openapi-errors.ts';
import { headerComponents } from '../docs/openapi-headers.ts';
import { apiInfo } from '../docs/openapi-info.ts';
import { problemSchema } from '../docs/problem-schema.ts';
import { describeRoute } from './openapi-route.ts';
import { createAdminSchemas } from './openapi-schemas.ts';
import {
  describeAuditExport,
  describePaymentsExport,
  describeStream,
  describeUsageExport,
} from './openapi-streaming.ts';
import type { AdminRoutes } from './routes.ts';

/** The tag of a route is the service that it calls. */
const TAGS = [
  {
    name: 'accounts',
    description: 'Teams, members, invitations, sessions, API tokens, and your own account.',
  },
  { name: 'applications', description: 'Applications, their scopes and rate limits, and their API keys.' },
  { name: 'payments', description: 'Payments of all applications of the team.' },
  { name: 'webhooks', description: 'Webhook endpoints, events, and deliveries.' },
  { name: 'usage', description: 'Requests to the public API, by outcome and latency.' },
  { name: 'audit', description: 'The audit log, its signed tree heads, and its verification.' },
];

export interface AdminOpenapiOptions {
  /** Without a trailing slash, like the URL of the API. */
  docsBaseUrl: string;
  adminApiUrl: string;
  routes?: AdminRoutes;
}

/** The admin API as an OpenAPI 3.1 document, generated from the route table and the schemas that validate requests. */
export function createAdminOpenapi({
  docsBaseUrl,
  adminApiUrl,
  routes = ADMIN_ROUTES,
}: AdminOpenapiOptions): object {
  const schemas = createAdminSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route, schemas) };
  }
  paths[PAYMENTS_CSV_PATH] = { get: describePaymentsExport(schemas) };
  paths[USAGE_CSV_PATH] = { get: describeUsageExport(schemas) };
  paths[AUDIT_EXPORT_PATH] = { get: describeAuditExport(schemas) };
  paths[STREAM_PATH] = { get: describeStream(schemas) };
  schemas.namedResponse('Problem', problemSchema(usedErrorCodes(paths)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate admin API',
      ...apiInfo(docsBaseUrl),
      description:
        'Manages accounts, applications, API keys, webhooks, and payments. Send an API token as a bearer token, or sign in with `POST /admin/v1/sessions` and send the session token. ' +
        'An operation about a person or about API tokens accepts a session only. ' +
        'Lists return `{data, next_cursor, previous_cursor}`. Pass a cursor as `cursor` to read another page; only a null `next_cursor` marks the end. ' +
        'Send an `Idempotency-Key` with every POST that creates a resource: a repeated request returns the resource as it is now, with null instead of its secret or token, and with `Idempotent-Replayed: true`. Other operations ignore the header. ' +
        'Requests are limited per member, per API token, and per team, and per address until the caller is known: `RateLimit-Policy` and `RateLimit` list the limits. After a 429, wait for `Retry-After` seconds. ' +
        'A resource of another team returns `not-found`, like one that does not exist. ' +
        'Responses may gain fields and enumeration values: ignore unknown fields, and treat an unknown value as "other".',
    },
    servers: [{ url: adminApiUrl, description: 'Admin API' }],
    tags: TAGS,
    externalDocs: { description: 'API reference', url: docsBaseUrl },
    security: [{ session: [] }, { apiToken: [] }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'Session token of a member.' },
        apiToken: { type: 'http', scheme: 'bearer', description: 'API token of a team, `tg_admin_…`.' },
      },
      schemas: schemas.components(),
      headers: headerComponents(paths),
      examples: exampleComponents(paths, docsBaseUrl),
    },
  };
}
