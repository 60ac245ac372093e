import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import {
  ADMIN_ROUTES,
  PAYMENTS_CSV_PATH,
  STREAM_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import { API_VERSION, HEADERS } from '../docs/openapi-parts.ts';
import { ProblemSchema } from '../docs/problem-schema.ts';
import { describeRoute } from './openapi-route.ts';
import {
  describeAuditExport,
  describePaymentsExport,
  describeStream,
  describeUsageExport,
} from './openapi-streaming.ts';

/** The admin API as an OpenAPI 3.1 document, generated from the route table and the schemas that validate requests. */
export function createAdminOpenapi(docsBaseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(ADMIN_ROUTES) as [string, AdminRoute][]) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route, docsBaseUrl) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate admin API',
      version: API_VERSION,
      description:
        'Manages accounts, applications, API keys, webhooks, and payments. Sign in with `POST /admin/v1/sessions`, then send the token as a bearer token. ' +
        'Lists return `{data, next_cursor, previous_cursor}`. Pass a cursor as `cursor` to read another page; only a null `next_cursor` marks the end. ' +
        'A resource of another team returns `not-found`, like one that does not exist.',
    },
    servers: [{ url: '/' }],
    externalDocs: { url: docsBaseUrl },
    security: [{ session: [] }],
    paths: {
      ...paths,
      [PAYMENTS_CSV_PATH]: { get: describePaymentsExport(docsBaseUrl) },
      [USAGE_CSV_PATH]: { get: describeUsageExport(docsBaseUrl) },
      [AUDIT_EXPORT_PATH]: { get: describeAuditExport(docsBaseUrl) },
      [STREAM_PATH]: { get: describeStream(docsBaseUrl) },
    },
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'Session token.' },
      },
      schemas: { Problem: ProblemSchema },
      headers: {
        RequestId: HEADERS.RequestId,
        ShouldRetry: HEADERS.ShouldRetry,
        RetryAfter: HEADERS.RetryAfter,
      },
    },
  };
}
