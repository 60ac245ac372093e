import type { AddressInfo } from 'node:net';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { httpOrigin } from '@tollgate/http/http-origin';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyInstance } from 'fastify';
import type { Adapter, WebhookRequest } from './adapter.ts';
import { AdapterError } from './adapter-error.ts';
import { startCallbackSender } from './callbacks/callback-sender.ts';
import type { Call, SigningSecrets } from './contract/signature.ts';
import { buildCallServer } from './http/call-server.ts';
import { buildWebhookServer } from './http/webhook-server.ts';
import { cancelPayment, readPayment, startPayment } from './payments/payment-calls.ts';
import { findPayment, reportChange } from './payments/receive-webhook.ts';
import { createTurns } from './payments/turns.ts';
import { withinDeadline } from './payments/within-deadline.ts';
import type { PaymentStore } from './store/payment-store.ts';

/** Below the 10 seconds of the contract, so that the response still arrives in time. */
const DEADLINE_MS = 9 * SECOND_MS;

export interface AdapterServerOptions {
  adapter: Adapter;
  secrets: SigningSecrets;
  /** `POST /v1/processor-events/{processor}` of Tollgate. */
  callbackUrl: string;
  store: PaymentStore;
  clock: Clock;
  logger: Logger;
  /** Limits each call and webhook, including the time that it waits for others of the same payment. */
  deadlineMs?: number;
}

/** An adapter without its process. The caller closes the store after `stop`. */
export interface AdapterServer {
  /** Serves Tollgate. */
  calls: FastifyInstance;
  /** Serves the processor. */
  webhooks: FastifyInstance;
  /** Opens both listeners and returns their origins. */
  listen(address: { host: string; port: number; webhookPort: number }): Promise<{
    callsUrl: string;
    webhooksUrl: string;
  }>;
  /** Sends callbacks that are due now, without waiting for the next interval. */
  sendCallbacks(): void;
  /** Completes what is in flight. */
  stop(): Promise<void>;
}

/** Connects the parts: calls and webhooks change payments, one at a time for each payment, and changes become callbacks. */
export function createAdapterServer(options: AdapterServerOptions): AdapterServer {
  const { adapter, secrets, callbackUrl, store, clock, logger, deadlineMs = DEADLINE_MS } = options;
  const turns = createTurns();
  const deps = { adapter, store, clock, logger, turns };
  const callbacks = startCallbackSender({ store, url: callbackUrl, secrets, clock, logger });

  /** Jobs for one payment never overlap, also when one continues after its deadline. */
  function inTurn<Result>(
    action: string,
    paymentId: string,
    signal: AbortSignal,
    job: () => Promise<Result>,
  ): Promise<Result> {
    return turns.take(paymentId, async () => {
      try {
        signal.throwIfAborted();
        return await job();
      } catch (error) {
        logFailure(logger, error, { action, payment_id: paymentId, processor: adapter.name });
        throw error;
      }
    });
  }

  function call<Result>(
    action: Call,
    paymentId: string,
    job: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return withinDeadline(deadlineMs, (signal) => inTurn(action, paymentId, signal, () => job(signal)));
  }

  async function receive(webhook: WebhookRequest): Promise<void> {
    await withinDeadline(deadlineMs, async (signal) => {
      const payment = await findPayment(deps, webhook, signal);
      if (payment === null) return;
      await inTurn('webhook', payment.id, signal, () => reportChange(deps, payment.id, signal));
      callbacks.trigger();
    });
  }

  const calls = buildCallServer({
    name: adapter.name,
    environment: adapter.environment,
    secrets,
    start: (payment) => call('start', payment.id, (signal) => startPayment(deps, payment, signal)),
    status: (id, asksAgain) => call('status', id, (signal) => readPayment(deps, id, { signal, asksAgain })),
    cancel: (id) => call('cancel', id, (signal) => cancelPayment(deps, id, signal)),
    checkHealth: () => void store.dueCallbacks(0, 1),
    clock,
    logger,
  });
  const webhooks = buildWebhookServer({ receive, logger });

  return {
    calls,
    webhooks,
    async listen({ host, port, webhookPort }) {
      await calls.listen({ host, port });
      await webhooks.listen({ host, port: webhookPort });
      return { callsUrl: originOf(calls, host), webhooksUrl: originOf(webhooks, host) };
    },
    sendCallbacks: () => callbacks.trigger(),
    async stop() {
      await Promise.all([calls.close(), webhooks.close()]);
      await callbacks.stop();
      await turns.settled();
    },
  };
}

function originOf(app: FastifyInstance, host: string): string {
  return httpOrigin(host, (app.server.address() as AddressInfo).port);
}

/** Requests that the adapter rejects are not failures. */
function logFailure(
  logger: Logger,
  error: unknown,
  fields: { action: string; payment_id: string; processor: string },
): void {
  if (error instanceof AdapterError && error.status < 500) return;
  logger.error({ ...fields, err: error }, 'the call failed; its outcome is unknown until it is repeated');
}
