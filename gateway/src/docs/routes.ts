import { Problem } from '@tollgate/contracts/problem';
import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify';
import { errorPage, errorsPage } from './error-pages.ts';
import { createOpenapi, type OpenapiOptions } from './openapi.ts';
import { ERROR_PATH, ERRORS_PATH, OPENAPI_PATH, REFERENCE_PATH } from './paths.ts';
import { referencePage } from './reference-page.ts';
import { CONTENT_SECURITY_POLICY } from './style.ts';

/** Long enough to save requests while reading, short enough for updates to show. */
const PUBLIC_FOR_5_MINUTES = { 'cache-control': 'public, max-age=300' };

/** Serves everything that needs no key: the OpenAPI document, the reference, and the errors. */
export function registerDocs(app: FastifyInstance, options: Required<OpenapiOptions>): void {
  const openapi = Buffer.from(JSON.stringify(createOpenapi(options)));
  const reference = referencePage(options.operations);
  const errors = errorsPage();

  function serve(url: string, handler: RouteHandlerMethod): void {
    app.route({ method: ['GET', 'HEAD'], url, handler });
  }

  serve(OPENAPI_PATH, (_request, reply) =>
    reply.headers(PUBLIC_FOR_5_MINUTES).type('application/json').send(openapi),
  );
  serve(REFERENCE_PATH, (_request, reply) => sendPage(reply, reference));
  serve(ERRORS_PATH, (_request, reply) => sendPage(reply, errors));
  serve(ERROR_PATH, (request, reply) => {
    const found = errorPage((request.params as { code: string }).code, options.docsBaseUrl);
    if (found === null) throw new Problem('route-not-found', 'Error code not found.');
    return sendPage(reply, found);
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers({
      ...PUBLIC_FOR_5_MINUTES,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}
