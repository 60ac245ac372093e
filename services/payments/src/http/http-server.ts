import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { entityTag, ifNoneMatchNames } from '@tollgate/http/entity-tag';
import { parseIdempotencyKey } from '@tollgate/http/parse-idempotency-key';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cancelPayment } from '../cancellation/cancel-payment.ts';
import type { Context } from '../context.ts';
import { createPayment } from '../creation/create-payment.ts';
import { paymentNotFound } from '../lifecycle/find-payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { ownerOfPrincipal } from '../store/payment-owner.ts';
import { authenticate, sentRequestId } from './authenticate.ts';
import { createListener } from './create-listener.ts';
import { preferredWaitMs } from './prefer-wait.ts';
import { type RawBody, readCancelBody, readCreateBody } from './request-body.ts';

/** A gateway sends a request without delay. A peer that sends slowly must not hold a connection indefinitely. */
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_CLOSE_INTERVAL_MS = 50;

/**
 * The three operations, for gateways only: each request carries a signed principal.
 *
 * A request with several faults gets the error of the first in this order: signature (401), scope (403),
 * Idempotency-Key (400), Content-Type (415), JSON (400 malformed-request), fields (400 invalid-request), currency,
 * amount, card data (422), then conflicts with the stored payment. Only the size (413) is checked earlier, because the
 * signature covers the whole body.
 */
export function buildHttp(context: Context): FastifyInstance {
  // A body is parsed only after the caller is authenticated.
  const app = createListener(context, {
    bodyLimit: BODY_LIMITS.payments,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: sentRequestId,
    // During a stop, requests in flight complete, and new ones on a kept-alive connection are served with `Connection:
    // close`.
    return503OnClosing: false,
  });

  app.post('/v1/payments', async (request, reply) => {
    const principal = authenticate(context, request, 'payment:create');
    const { payment, ...outcome } = await createPayment(context, {
      principal,
      requestId: request.id,
      idempotencyKey: idempotencyKeyOf(request),
      body: readCreateBody(rawBody(request)),
      waitMs: preferredWaitMs(request.headers['prefer']),
    });
    markOutcome(reply, outcome);
    return reply.code(201).header('location', `/v1/payments/${payment.id}`).send(payment);
  });

  app.get<{ Params: PaymentParams }>('/v1/payments/:payment_id', async (request, reply) => {
    const principal = authenticate(context, request, 'payment:read');
    const stored = await context.store.find(ownerOfPrincipal(principal), request.params.payment_id);
    // Also for payments of another application or environment, and for malformed ids.
    if (!stored) throw paymentNotFound();
    const payment = paymentAtVersion(stored);
    const tag = entityTag(payment.version);
    reply.header('etag', tag);
    if (ifNoneMatchNames(request.headers['if-none-match'], tag)) return reply.code(304).send();
    return reply.send(payment);
  });

  app.post<{ Params: PaymentParams }>('/v1/payments/:payment_id/cancel', async (request, reply) => {
    const principal = authenticate(context, request, 'payment:cancel');
    const { payment, ...outcome } = await cancelPayment(context, {
      principal,
      paymentId: request.params.payment_id,
      requestId: request.id,
      idempotencyKey: idempotencyKeyOf(request),
      ifMatch: request.headers['if-match'],
      body: readCancelBody(rawBody(request)),
    });
    markOutcome(reply, outcome);
    // 202: the processor has not confirmed the cancellation yet.
    return reply.code(payment.status === 'canceled' ? 200 : 202).send(payment);
  });

  return app;
}

/** Completes requests in flight, then closes the listener and all connections. */
export async function closeHttp(app: FastifyInstance): Promise<void> {
  // Closing ends only the connections that are idle at that moment. One whose request completes later would stay open
  // until its timeout.
  const reaper = setInterval(() => app.server.closeIdleConnections(), IDLE_CLOSE_INTERVAL_MS);
  await app.close();
  clearInterval(reaper);
}

interface PaymentParams {
  payment_id: string;
}

function rawBody({ body, headers }: FastifyRequest): RawBody {
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    contentType: headers['content-type'],
    contentEncoding: headers['content-encoding'],
  };
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const header = headers[HEADERS.idempotencyKey];
  return parseIdempotencyKey(Array.isArray(header) ? header.join(', ') : header);
}

/** The second header is for the gateway, which counts changes for usage with it. */
function markOutcome(
  reply: FastifyReply,
  { replayed, changedAt }: { replayed: boolean; changedAt: Date | null },
): void {
  if (replayed) reply.header(HEADERS.idempotentReplayed, 'true');
  if (changedAt) reply.header(HEADERS.changedAt, changedAt.toISOString());
}
