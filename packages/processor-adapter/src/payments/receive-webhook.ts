import type { WebhookRequest } from '../adapter.ts';
import { newCallback } from '../callbacks/new-callback.ts';
import type { PaymentRecord } from '../store/payment-store.ts';
import { type CallDeps, reportState } from './payment-calls.ts';
import type { Turns } from './turns.ts';

/**
 * Finds the payment that a webhook is about; null for one that this adapter does not have.
 *
 * @throws InvalidWebhook
 */
export async function findPayment(
  deps: CallDeps & { turns: Turns },
  webhook: WebhookRequest,
  signal: AbortSignal,
): Promise<PaymentRecord | null> {
  const { adapter, store, logger, turns } = deps;
  const about = await adapter.readCallback(await adapter.verifyCallback(webhook), { signal });
  if (about === null) return null;
  const find = () =>
    'paymentId' in about ? store.find(about.paymentId) : store.findByReference(about.reference);
  const known = find();
  if (known) return known;
  // The processor can be faster than the response to the start that the webhook is about.
  await turns.settled();
  const started = find();
  if (started === null)
    logger.debug({ processor: adapter.name }, 'ignored a webhook about a payment that was not started here');
  return started;
}

/**
 * Asks the processor for the state, and stores a change with a callback. Nothing else of the webhook is used, so that late and
 * repeated webhooks change nothing.
 */
export async function reportChange(deps: CallDeps, paymentId: string, signal: AbortSignal): Promise<void> {
  // Read in turn: a call before this one may have changed it.
  const payment = deps.store.find(paymentId);
  if (payment === null) return;
  await reportState(deps, payment, signal, (state) => newCallback(paymentId, state, deps.clock.now()));
}
