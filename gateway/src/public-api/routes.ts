import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance } from 'fastify';
import type { ProxyFor } from '../proxy/proxy-handler.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import type { Admit } from './admit.ts';
import { methodsOf, OPERATIONS } from './operations.ts';

/**
 * The three operations, each a proxy for exactly one path and method. The plugin's own `reply.from` is never called: as shipped it retries a
 * GET that gets 503 ten times, reads Retry-After as milliseconds, names the upstream's address in a 500 when the
 * connection is rejected, keeps the upstream busy for a caller who is gone, and does not verify the upstream's TLS.
 */
export function registerOperations(
  app: FastifyInstance,
  deps: { admit: Admit; proxyFor: ProxyFor; usage: CountRequests },
): void {
  for (const operation of OPERATIONS) {
    app.register(async (scope) => {
      scope.addHook('onRequest', (request, reply, done) => {
        deps.admit(operation, request, reply);
        done();
      });
      deps.usage.countAnswers(scope, operation);
      await scope.register(httpProxy, {
        routes: [operation.path],
        httpMethods: methodsOf(operation),
        config: { operation: operation.name },
        // Bodies are signed, so they are read whole, by the parser of the app.
        proxyPayloads: false,
        // The plugin insists on an address and checks each path against it; the handler chooses the instance, for every try anew.
        upstream: 'http://payments.invalid',
        // Not as `handler`: before calling that, the plugin takes the path apart for its own `reply.from`, a tenth of a request's cost.
        preHandler: deps.proxyFor(operation),
        handler: refuseUnforwarded,
      });
    });
  }
}

/** Deny by default: what the proxy has not responded to must not go where the plugin would send it. */
function refuseUnforwarded(): never {
  throw new Error('The proxy left a request unanswered');
}
