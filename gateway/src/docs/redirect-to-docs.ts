import type { FastifyInstance } from 'fastify';

/** Short enough for a change of the address to take effect. */
const FOR_5_MINUTES = 'public, max-age=300';

/**
 * A person who opens the address of an API in a browser gets the documentation.
 * @param home home page of the documentation
 */
export function redirectToDocs(app: FastifyInstance, paths: readonly string[], home: string): void {
  for (const url of paths) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (_request, reply) => reply.header('cache-control', FOR_5_MINUTES).redirect(home, 302),
    });
  }
}
