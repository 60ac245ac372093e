import type { FastifyInstance } from 'fastify';
import { type AdminOpenapiOptions, createAdminOpenapi } from './openapi.ts';

export const ADMIN_OPENAPI_PATH = '/admin/openapi.json';

/** Serves the OpenAPI document, without a session. */
export function registerOpenapi(app: FastifyInstance, options: AdminOpenapiOptions): void {
  const document = Buffer.from(JSON.stringify(createAdminOpenapi(options)));
  app.route({
    method: ['GET', 'HEAD'],
    url: ADMIN_OPENAPI_PATH,
    handler: (_request, reply) => reply.header('content-type', 'application/json').send(document),
  });
}
