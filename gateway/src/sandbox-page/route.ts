import { actOnSandboxPage, getSandboxPage, type SandboxPage } from '@tollgate/contracts/payments/rpc';
import { SANDBOX_PAGE_PATH } from '@tollgate/contracts/payments/sandbox-payment-methods';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createLimitByAddress } from '../rate-limit/limit-by-address.ts';
import type { CallService } from '../rpc/call-service.ts';
import { contentSecurityPolicy, notFoundPage, paymentPage } from './page.ts';

/** A form with one button has a few bytes. */
const MAX_FORM_BYTES = 256;

interface PageRequest {
  Params: { token: string };
}

/**
 * Serves the page of the sandbox processor on which a developer plays the payer. Without an API key: the token in the
 * address is the permission, and no money moves.
 */
export function registerSandboxPage(
  app: FastifyInstance,
  { callService, clock }: { callService: CallService; clock: Clock },
): void {
  const limitByAddress = createLimitByAddress(clock);
  const config = { operation: 'sandbox_page' };
  const onRequest = async (request: FastifyRequest) => limitByAddress(request);

  app.route<PageRequest>({
    method: ['GET', 'HEAD'],
    url: SANDBOX_PAGE_PATH,
    config,
    onRequest,
    handler: async ({ params, id }, reply) => {
      const page = await orNotFound(callService(getSandboxPage, params, { requestId: id }));
      return sendPage(reply, page);
    },
  });

  app.post<PageRequest>(SANDBOX_PAGE_PATH, {
    config,
    onRequest,
    bodyLimit: MAX_FORM_BYTES,
    handler: async (request, reply) => {
      const { params, id } = request;
      const action = actionOf(request.body);
      const page = await orNotFound(
        action === 'close'
          ? callService(getSandboxPage, params, { requestId: id })
          : callService(actOnSandboxPage, { ...params, action }, { requestId: id }),
      );
      if (page?.return_url) return reply.redirect(page.return_url, 303);
      // So that a reload repeats nothing.
      return reply.redirect(request.url, 303);
    },
  });
}

/** @throws Problem `invalid-request` */
function actionOf(body: unknown): 'pay' | 'decline' | 'close' {
  const action = Buffer.isBuffer(body) ? new URLSearchParams(body.toString('utf8')).get('action') : null;
  if (action === 'pay' || action === 'decline' || action === 'close') return action;
  throw new Problem('invalid-request', 'The form must contain `action`: pay, decline, or close.');
}

/** Null when the address names no payment. */
async function orNotFound(call: Promise<SandboxPage>): Promise<SandboxPage | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && error.details.code === 'not-found') return null;
    throw error;
  }
}

function sendPage(reply: FastifyReply, page: SandboxPage | null): FastifyReply {
  return reply
    .code(page ? 200 : 404)
    .headers({
      'content-security-policy': contentSecurityPolicy(page?.return_url ?? null),
      // The address is the permission.
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page ? paymentPage(page) : notFoundPage());
}
