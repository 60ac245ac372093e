import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AdapterError } from '../adapter-error.ts';
import { adapterName } from '../adapter-name.ts';
import {
  ADAPTER_LIMITS,
  ASK_PROCESSOR,
  type PaymentState,
  type ProcessorPayment,
} from '../contract/payment-state.ts';
import { type SigningSecrets, sign } from '../contract/signature.ts';
import { followCalls } from './follow-calls.ts';
import { createHttpApp } from './http-app.ts';
import { readPaymentBody } from './payment-body.ts';
import { bodyOf, verifyCall, verifySignature } from './verify-call.ts';

export interface CallServerDeps {
  /** Name of the processor. */
  name: string;
  environment: Environment;
  secrets: SigningSecrets;
  start(payment: ProcessorPayment): Promise<PaymentState>;
  status(paymentId: string, asksAgain: boolean): Promise<PaymentState | null>;
  cancel(paymentId: string): Promise<PaymentState>;
  /** @throws Error when the adapter cannot serve calls */
  checkHealth(): void;
  clock: Clock;
  logger: Logger;
}

interface PaymentParams {
  payment_id: string;
}

interface StatusQuery {
  ask?: string;
}

/** The calls of Tollgate. */
export function buildCallServer(deps: CallServerDeps): FastifyInstance {
  const app = createHttpApp({ bodyLimitBytes: ADAPTER_LIMITS.bodyBytes, logger: deps.logger });
  followCalls(app, adapterName(deps.name));

  app.get('/healthz', () => {
    deps.checkHealth();
    return { status: 'ok' };
  });

  app.post('/payments', async (request, reply) => {
    const id = verifySignature(deps, request);
    const payment = readPaymentBody(id, bodyOf(request));
    if (payment.environment !== deps.environment) throw wrongEnvironment(payment, deps.environment);
    const state = await deps.start(payment);
    const { status, reference, failure } = state;
    // Without a reference, the processor has no such payment: it did not accept it.
    if (status === 'failed' && reference === null) return sendSigned(deps, reply, id, 422, { failure });
    return sendSigned(deps, reply, id, 200, state);
  });

  app.get<{ Params: PaymentParams; Querystring: StatusQuery }>(
    '/payments/:payment_id',
    async (request, reply) => {
      const paymentId = request.params.payment_id;
      const id = verifyCall(deps, request, 'status', paymentId);
      const asksAgain = request.query.ask === ASK_PROCESSOR;
      const state = isId('payment', paymentId) ? await deps.status(paymentId, asksAgain) : null;
      if (state) return sendSigned(deps, reply, id, 200, state);
      return sendSigned(deps, reply, id, 404, {
        status: 404,
        detail: 'The payment was never started by this adapter.',
      });
    },
  );

  app.post<{ Params: PaymentParams }>('/payments/:payment_id/cancel', async (request, reply) => {
    const paymentId = request.params.payment_id;
    const id = verifyCall(deps, request, 'cancel', paymentId);
    if (!isId('payment', paymentId))
      throw new AdapterError(
        400,
        'The path does not contain a payment id. Nothing was canceled. Correct the id.',
      );
    return sendSigned(deps, reply, id, 200, await deps.cancel(paymentId));
  });

  return app;
}

/** Signs with the id of the call, so that a response to one call is never taken for that of another. */
function sendSigned(
  { secrets, clock }: CallServerDeps,
  reply: FastifyReply,
  id: string,
  status: number,
  content: object,
): FastifyReply {
  const body = JSON.stringify(content);
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json', ...sign(secrets, { id, body }, clock.now()) })
    .send(Buffer.from(body));
}

function wrongEnvironment(payment: ProcessorPayment, environment: Environment): AdapterError {
  return new AdapterError(
    400,
    `The payment is of the ${payment.environment} environment, but the adapter has credentials for ${environment}. It was not started. Correct the routes in PROCESSORS_FILE.`,
  );
}
