import { SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { actOnSandboxPage, SandboxPage } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Callback } from '@tollgate/processor-adapter/contract/payment-state';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { DECLINED, processingMsOf } from '../processors/sandbox/sandbox-processor.ts';
import { receiveCallback } from './receive-callback.ts';

type Action = Static<typeof actOnSandboxPage.request>['action'];

/**
 * What the payer's test page shows.
 *
 * @throws Problem `not-found` for a token that this service did not create
 */
export async function readSandboxPage(context: Context, token: string): Promise<SandboxPage> {
  return pageOf(await paymentOf(context, token));
}

/**
 * Reports what the payer did on the test page, as an adapter does with a callback. A payment that is not pending stays as it is.
 *
 * @throws Problem `not-found`, `conflict`, `unavailable`
 */
export async function actOnPage(context: Context, token: string, action: Action): Promise<SandboxPage> {
  const payment = await paymentOf(context, token);
  if (payment.status === 'pending') {
    const callback = callbackOf(payment, action);
    await receiveCallback(context, SANDBOX_PROCESSOR, callback);
    if (payment.payment_method === 'pm_duplicate_callback')
      await receiveCallback(context, SANDBOX_PROCESSOR, callback);
  }
  return pageOf(await paymentOf(context, token));
}

function callbackOf(payment: PaymentDocument, action: Action): Callback {
  const { _id, payment_method, amount, currency } = payment;
  const base = { payment_id: _id, reference: null };
  if (action === 'decline') return { ...base, status: 'failed', failure: DECLINED };
  if (processingMsOf(payment_method) > 0) return { ...base, status: 'processing' };
  return { ...base, status: 'succeeded', amount, currency };
}

async function paymentOf({ store, pageTokens }: Context, token: string): Promise<PaymentDocument> {
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
