import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ADAPTER_LIMITS, type Callback } from '@tollgate/processor-adapter/contract/payment-state';
import { MalformedBody, readCallback } from '@tollgate/processor-adapter/contract/read-state';
import {
  InvalidSignature,
  type SigningSecrets,
  verify,
} from '@tollgate/processor-adapter/contract/signature';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { receiveCallback } from '../processing/receive-callback.ts';
import { createListener } from './create-listener.ts';
import { sendRouteNotFound } from './http-errors.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * The listener for adapters only, on a port of its own: `POST /v1/processor-events/{processor}` with a signed callback. It
 * responds with 204 when the change is stored. Repeating a callback changes nothing.
 */
export function buildCallbackHttp(context: Context): FastifyInstance {
  const { processorsFile, metrics } = context;
  const app = createListener(context, {
    bodyLimit: ADAPTER_LIMITS.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => newId('request'),
    beginsTrace: true,
  });

  app.post<{ Params: { processor: string } }>('/v1/processor-events/:processor', async (request, reply) => {
    const { processor } = request.params;
    const adapter = processorsFile.adapters.get(processor);
    if (!adapter) return sendRouteNotFound(context, request, reply);
    try {
      await receiveCallback(context, processor, verifiedCallback(context, request, adapter.secrets));
    } catch (error) {
      metrics.countCallback({ processor, outcome: 'rejected' });
      throw error;
    }
    metrics.countCallback({ processor, outcome: 'applied' });
    return reply.code(204).send();
  });
  return app;
}

/** @throws Problem `unauthenticated`, `malformed-request` */
function verifiedCallback(
  { countUnverified, clock }: Context,
  request: FastifyRequest,
  secrets: SigningSecrets,
): Callback {
  const body = Buffer.isBuffer(request.body) ? request.body.toString() : '';
  try {
    verify(secrets, { headers: request.headers, body }, clock.now());
    return readCallback(body);
  } catch (error) {
    if (error instanceof MalformedBody) throw new Problem('malformed-request', error.message);
    if (!(error instanceof InvalidSignature)) throw error;
    countUnverified('processor_callback', 'signature');
    throw new Problem('unauthenticated', error.message);
  }
}
