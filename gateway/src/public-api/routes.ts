import httpProxy from '@fastify/http-proxy';
import { deprecationHeaders } from '@tollgate/contracts/platform/deprecation';
import type { FastifyInstance } from 'fastify';
import type { FindRejectedCaller } from '../authentication/rejected-caller.ts';
import { methodsOf, type Operation } from '../operations/operations.ts';
import { asUndici, type Forward } from '../proxy/forward.ts';
import type { PaymentsUpstream } from '../proxy/payments-upstream.ts';
import { requireJsonBody } from '../request/content-rules.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import type { Admit } from './admit.ts';

/** Stands for all instances: the upstream chooses one for each request. */
const PAYMENTS_ORIGIN = 'http://payments';

/** Registers the operations, each as a proxied route for exactly one path and method. */
export function registerOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  deps: {
    admit: Admit;
    findRejected: FindRejectedCaller;
    upstream: PaymentsUpstream;
    forward: Forward;
    usage: CountRequests;
  },
): void {
  for (const operation of operations) {
    app.register(async (scope) => {
      deps.usage.countResponses(scope, operation, deps.findRejected);
      // Not in preHandler, which runs after the body has been read.
      scope.addHook('onRequest', (request, reply, done) => {
        deps.admit(operation, request, reply);
        done();
      });
      scope.register(httpProxy, {
        upstream: PAYMENTS_ORIGIN,
        undici: asUndici(deps.upstream),
        routes: [operation.path],
        httpMethods: methodsOf(operation),
        config: {
          operation: operation.name,
          takesIdempotencyKey: operation.method === 'POST',
          ...(operation.deprecation && { deprecation: deprecationHeaders(operation.deprecation) }),
        },
        // The signature covers the whole body.
        proxyPayloads: false,
        disableRequestLogging: true,
        preHandler(request, _reply, done) {
          requireJsonBody(request);
          done();
        },
        handler: (request, reply) => deps.forward(operation, request, reply),
      });
    });
  }
}
