import { SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { actOnSandboxPage, SandboxPage } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Callback } from '@tollgate/processor-adapter/contract/payment-state';
import type { Static } from 'typebox';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { PageTokens } from '../processors/sandbox/page-tokens.ts';
import { DECLINED, processingMsOf } from '../processors/sandbox/sandbox-processor.ts';
import type { VerifiedPayments } from '../seals/verified-payments.ts';
import type { ApplyDeps } from './apply-state.ts';
import { receiveCallback } from './receive-callback.ts';

export interface SandboxPageDeps extends ApplyDeps {
  verified: VerifiedPayments;
  pageTokens: PageTokens;
}

type Action = Static<typeof actOnSandboxPage.request>['action'];

/**
 * What the payer's test page shows.
 *
 * @throws Problem `not-found` for a token that this service did not create
 */
export async function readSandboxPage(deps: SandboxPageDeps, token: string): Promise<SandboxPage> {
  return pageOf(await paymentOf(deps, token));
}

/**
 * Reports what the payer did on the test page, as an adapter does with a callback. A payment that is not pending stays as it is.
 *
 * @throws Problem `not-found`, `conflict`, `unavailable`
 */
export async function actOnPage(deps: SandboxPageDeps, token: string, action: Action): Promise<SandboxPage> {
  const payment = await paymentOf(deps, token);
  if (payment.status === 'pending') {
    const callback = callbackOf(payment, action);
    await receiveCallback(deps, SANDBOX_PROCESSOR, callback);
    if (payment.payment_method === 'pm_duplicate_callback')
      await receiveCallback(deps, SANDBOX_PROCESSOR, callback);
  }
  return pageOf(await paymentOf(deps, token));
}

function callbackOf(payment: PaymentDocument, action: Action): Callback {
  const { _id, payment_method, amount, currency } = payment;
  const base = { payment_id: _id, reference: null };
  if (action === 'decline') return { ...base, status: 'failed', failure: DECLINED };
  if (processingMsOf(payment_method) > 0) return { ...base, status: 'processing' };
  return { ...base, status: 'succeeded', amount, currency };
}

async function paymentOf({ store, pageTokens }: SandboxPageDeps, token: string): Promise<PaymentDocument> {
  const paymentId = pageTokens.read(token);
  const payment = paymentId === null ? null : await store.findOfProcessor(SANDBOX_PROCESSOR, paymentId);
  if (!payment) throw new Problem('not-found', 'The payment page was not found.');
  return payment;
}

function pageOf(payment: PaymentDocument): SandboxPage {
  return {
    payment_id: payment._id,
    amount: payment.amount,
    currency: payment.currency,
    purpose: payment.purpose,
    status: payment.status,
    return_url: payment.return_url ?? null,
    expires_at: payment.expires_at.toISOString(),
  };
}
