import type { Stripe } from 'stripe';
import { rejected, rejectionOf } from './failure-codes.ts';
import { ask, isInvalidRequest, isStoredError } from './stripe-client.ts';

/**
 * Creates an object that cannot charge by itself, with the payment's idempotency key.
 *
 * Stripe stores the result of the first request, also a 500, and returns it for at least 24 hours. After a stored 500, an object may
 * exist, but the adapter has never had its id: it was not confirmed, and its page was not shown. The payment therefore failed.
 *
 * @throws PaymentRejected
 */
export async function createOnce<Created>(
  signal: AbortSignal,
  create: () => Promise<Stripe.Response<Created>>,
): Promise<Stripe.Response<Created>> {
  try {
    return await ask(signal, create);
  } catch (error) {
    const rejection = isInvalidRequest(error) ? rejectionOf(error) : null;
    if (rejection) throw rejection;
    if (isStoredError(error)) throw rejected('processing_error');
    throw error;
  }
}
