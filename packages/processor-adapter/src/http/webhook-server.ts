import { createBoundedQueue, QueueFull } from '@tollgate/runtime/bounded-queue';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyInstance } from 'fastify';
import { InvalidWebhook, type WebhookRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { createHttpApp } from './http-app.ts';
import { bodyOf } from './verify-call.ts';

/** Larger than the webhooks of processors, which have some KiB. */
const MAX_BODY_BYTES = 512 * 1024;
/** Each can be a request to the processor. */
const MAX_IN_FLIGHT = 64;

/** The listener for the processor's webhooks. It is the only one that the internet may reach. */
export function buildWebhookServer(deps: {
  /** Resolves when the change that the webhook announces is stored. */
  receive(webhook: WebhookRequest): Promise<void>;
  logger: Logger;
}): FastifyInstance {
  const app = createHttpApp({ bodyLimitBytes: MAX_BODY_BYTES, logger: deps.logger });
  const queue = createBoundedQueue({ atOnce: MAX_IN_FLIGHT, maxWaiting: 0 });
  app.post('/webhooks', async (request, reply) => {
    const webhook = { headers: request.headers, url: request.url, body: bodyOf(request) };
    await queue
      .run(() => deps.receive(webhook))
      .catch((error: unknown) => {
        throw asAdapterError(error);
      });
    // Not 204: some processors, such as Mollie, repeat a webhook after any other status than 200.
    return reply.code(200).send();
  });
  return app;
}

function asAdapterError(error: unknown): unknown {
  if (error instanceof InvalidWebhook) {
    return new AdapterError(401, `The webhook is not the processor's: ${error.message}`, { cause: error });
  }
  if (error instanceof QueueFull) {
    return new AdapterError(503, 'The adapter is at capacity. The webhook was not processed. Send it again.');
  }
  return error;
}
