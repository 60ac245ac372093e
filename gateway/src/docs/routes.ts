import { Problem } from '@tollgate/contracts/platform/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import Negotiator from 'negotiator';
import { DOCS_HOME_PATH } from '../request/target.ts';
import { createOpenapi, type OpenapiOptions } from './openapi.ts';
import { DOCS_PAGES_PATH, LLMS_PATHS, OPENAPI_PATH, REDIRECTED_PATHS } from './paths.ts';
import { redirectToDocs } from './redirect-to-docs.ts';
import { type Site, type SiteFile, SiteNotBuiltError } from './site.ts';

const PUBLIC_FOR_5_MINUTES = { 'cache-control': 'public, max-age=300' };

/** Serves everything that needs no key: the OpenAPI document, and the documentation. */
export function registerDocs(app: FastifyInstance, options: Required<OpenapiOptions> & { site: Site }): void {
  const openapi = Buffer.from(JSON.stringify(createOpenapi(options)));

  function serve(url: string, handler: RouteHandlerMethod): void {
    app.route({ method: ['GET', 'HEAD'], url, handler });
  }

  serve(OPENAPI_PATH, (_request, reply) =>
    reply.headers(PUBLIC_FOR_5_MINUTES).type('application/json').send(openapi),
  );
  redirectToDocs(app, REDIRECTED_PATHS, DOCS_HOME_PATH);
  for (const path of LLMS_PATHS)
    serve(path, (request, reply) => sendFile(options.site, path.slice(1), request, reply));
  serve(DOCS_PAGES_PATH, (request, reply) =>
    sendFile(options.site, (request.params as { '*': string })['*'], request, reply),
  );
}

/** @throws Problem `unavailable` while the site is not built, and `route-not-found` if it has no such page */
async function sendFile(
  site: Site,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await findFile(site, path);
  if (file !== null) return send(file, 200, request, reply);
  const notFound = prefersHtml(request) ? await findFile(site, '404') : null;
  if (notFound !== null) return send(notFound, 404, request, reply);
  throw new Problem('route-not-found', 'No page of the documentation has this path.');
}

async function findFile(site: Site, path: string): Promise<SiteFile | null> {
  try {
    return await site.find(path);
  } catch (error) {
    if (!(error instanceof SiteNotBuiltError)) throw error;
    throw new Problem(
      'unavailable',
      'The documentation is not built yet. `npm start` builds it within a minute; `npm run build --workspace=packages/docs-site` builds it now.',
    );
  }
}

function send(file: SiteFile, status: 200 | 404, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(status).headers({ ...file.headers, vary: 'accept, accept-encoding' });
  if (status === 200 && request.headers['if-none-match'] === file.headers['etag'])
    return reply.code(304).send();
  const acceptsGzip = new Negotiator(request.raw).encodings(['gzip']).length > 0;
  if (file.gzipped === null || !acceptsGzip) return reply.send(file.body);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

/** Browsers get a page, and programs the problem that every other path responds with. */
function prefersHtml(request: FastifyRequest): boolean {
  return new Negotiator(request.raw).mediaType(['application/problem+json', 'text/html']) === 'text/html';
}
