import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance } from 'fastify';
import type { ProxyFor } from '../proxy/proxy-handler.ts';
import type { Admit } from './admit.ts';
import { methodsOf, OPERATIONS } from './operations.ts';

/**
 * The three operations, each a proxy for exactly one path and method. The plugin's own `reply.from` is never called: as shipped it retries a
 * GET that is answered 503 ten times, reads Retry-After as milliseconds, names the upstream's address in a 500 when the
 * connection is refused, keeps the upstream busy for a caller who is gone, and does not verify the upstream's TLS.
 */
export function registerOperations(app: FastifyInstance, deps: { admit: Admit; proxyFor: ProxyFor }): void {
  for (const operation of OPERATIONS) {
    app.register(async (scope) => {
      scope.addHook('onRequest', (request, reply, done) => {
        deps.admit(operation, request, reply);
        done();
      });
      await scope.register(httpProxy, {
        routes: [operation.path],
        httpMethods: methodsOf(operation),
        config: { operation },
        // Bodies are signed, so they are read whole, by the parser of the app.
        proxyPayloads: false,
        // The instance is chosen by the handler, for every try anew. The plugin insists on one of its own ways, too.
        upstream: '',
        replyOptions: { getUpstream: () => '' },
        handler: deps.proxyFor(operation),
      });
    });
  }
}
