import { deprecationHeaders } from '@tollgate/contracts/deprecation';
import type { FastifyInstance } from 'fastify';
import type { FindRejectedCaller } from '../authentication/rejected-caller.ts';
import { methodsOf, type Operation } from '../operations/operations.ts';
import type { ProxyFor } from '../proxy/proxy-handler.ts';
import { requireJsonBody } from '../request/content-rules.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import type { Admit } from './admit.ts';

/** Registers the operations, each as a route for exactly one path and method. */
export function registerOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  deps: { admit: Admit; findRejected: FindRejectedCaller; proxyFor: ProxyFor; usage: CountRequests },
): void {
  for (const operation of operations) {
    app.register(async (scope) => {
      // Only of responses that Fastify sends: the proxy writes its own.
      scope.addHook('onSend', (request, reply, payload, done) => {
        if (request.rateLimit) reply.headers(request.rateLimit);
        done(null, payload);
      });
      deps.usage.countResponses(scope, operation, deps.findRejected);
      scope.route({
        method: methodsOf(operation),
        url: operation.path,
        config: {
          operation: operation.name,
          takesIdempotencyKey: operation.method === 'POST',
          ...(operation.deprecation && { deprecation: deprecationHeaders(operation.deprecation) }),
        },
        onRequest(request, _reply, done) {
          deps.admit(operation, request);
          done();
        },
        preHandler(request, _reply, done) {
          requireJsonBody(request);
          done();
        },
        handler: deps.proxyFor(operation),
      });
    });
  }
}
