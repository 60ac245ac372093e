import { Problem } from '@tollgate/contracts/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import Negotiator from 'negotiator';
import { DOCS_HOME_PATH } from '../request/target.ts';
import { createOpenapi, type OpenapiOptions } from './openapi.ts';
import { DOCS_PAGES_PATH, LLMS_PATH, OPENAPI_PATH, REDIRECTED_PATHS } from './paths.ts';
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
  for (const path of REDIRECTED_PATHS) {
    serve(path, (_request, reply) => reply.headers(PUBLIC_FOR_5_MINUTES).redirect(DOCS_HOME_PATH, 302));
  }
  serve(LLMS_PATH, async (request, reply) => {
    const { page, status } = await findPage(options.site, 'llms.txt');
    return send(page, status, request, reply);
  });
  serve(DOCS_PAGES_PATH, async (request, reply) => {
    const { page, status } = await findPage(options.site, (request.params as { '*': string })['*']);
    return send(page, status, request, reply);
  });
}

/** @throws Problem `unavailable` while the site is not built, and `route-not-found` if it has no page for that */
async function findPage(site: Site, path: string): Promise<{ page: SiteFile; status: 200 | 404 }> {
  try {
    const found = await site.find(path);
    if (found !== null) return { page: found, status: 200 };
    const notFound = await site.find('404');
    if (notFound !== null) return { page: notFound, status: 404 };
  } catch (error) {
    if (!(error instanceof SiteNotBuiltError)) throw error;
    throw new Problem(
      'unavailable',
      'The documentation is not built yet. `npm start` builds it within a minute; `npm run build --workspace=packages/docs-site` builds it now.',
    );
  }
  throw new Problem('route-not-found', 'Page not found.');
}

function send(file: SiteFile, status: number, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(status).headers({ ...file.headers, vary: 'accept-encoding' });
  if (status === 200 && request.headers['if-none-match'] === file.headers['etag'])
    return reply.code(304).send();
  if (file.gzipped === null || !acceptsGzip(request)) return reply.send(file.body);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

function acceptsGzip(request: FastifyRequest): boolean {
  return new Negotiator(request.raw).encodings(['gzip']).length > 0;
}
