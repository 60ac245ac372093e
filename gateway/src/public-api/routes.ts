import httpProxy from '@fastify/http-proxy';
import { deprecationHeaders } from '@tollgate/contracts/deprecation';
import type { FastifyInstance } from 'fastify';
import type { FindRejectedCaller } from '../authentication/rejected-caller.ts';
import { methodsOf, type Operation } from '../operations/operations.ts';
import type { ProxyFor } from '../proxy/proxy-handler.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import type { Admit } from './admit.ts';

/**
 * Registers the operations, each a proxy for exactly one path and method. The plugin's own `reply.from` is never
 * called: by default it retries a GET that gets a 503 ten times, reads Retry-After as milliseconds, exposes the
 * upstream's address in a 500 when it cannot connect, keeps the upstream busy after the client disconnected,
 * and does not verify the upstream's TLS certificate.
 */
export function registerOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  deps: { admit: Admit; findRejected: FindRejectedCaller; proxyFor: ProxyFor; usage: CountRequests },
): void {
  for (const operation of operations) {
    app.register(async (scope) => {
      scope.addHook('onRequest', (request, reply, done) => {
        deps.admit(operation, request, reply);
        done();
      });
      deps.usage.countResponses(scope, operation, deps.findRejected);
      await scope.register(httpProxy, {
        routes: [operation.path],
        httpMethods: methodsOf(operation),
        config: {
          operation: operation.name,
          takesIdempotencyKey: operation.method === 'POST',
          ...(operation.deprecation && { deprecation: deprecationHeaders(operation.deprecation) }),
        },
        // Bodies are signed, so the app's parser reads them completely.
        proxyPayloads: false,
        // The plugin requires an address and checks each path against it. The handler chooses the instance for every
        // attempt.
        upstream: 'http://payments.invalid',
        // Not as `handler`: before it calls that, the plugin parses the path for its own `reply.from`, a tenth of a
        // request's cost.
        preHandler: deps.proxyFor(operation),
        handler: rejectUnforwarded,
      });
    });
  }
}

/** Deny by default: a request that the proxy did not respond to must not reach the plugin's upstream. */
function rejectUnforwarded(): never {
  throw new Error('The proxy did not respond to a request');
}
