import { MollieApiError, type Payment, type PaymentCreateParams, SequenceType } from '@mollie/api-client';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import {
  type Adapter,
  defineAdapter,
  PaymentRejected,
  type StartedPayment,
} from '@tollgate/processor-adapter/adapter';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import { type Clock, systemClock } from '@tollgate/runtime/clock';
import { toMollieAmount } from './amount.ts';
import type { MollieConfig } from './config.ts';
import { failure, failureOfField } from './failure-codes.ts';
import { findPayment, isFor } from './find-payment.ts';
import { connectToMollie, type MollieConnection } from './mollie-client.ts';
import { readMandate } from './payment-method.ts';
import { stateOf } from './payment-state.ts';
import { paymentIdOf, verifyWebhook } from './webhook.ts';

/** Mollie forgets an idempotency key after an hour. The rest is for a slow request and for clocks that differ. */
const KEY_TRUSTED_MS = 50 * MINUTE_MS;

/** Mollie cuts longer descriptions, and more for some payment methods. */
const MAX_DESCRIPTION_LENGTH = 255;

export function createMollieAdapter(config: MollieConfig, clock: Clock = systemClock): Adapter {
  const connect = (signal: AbortSignal) => connectToMollie(config, signal);

  /** Creates the payment at Mollie once, however often it is called. */
  async function start(
    payment: ProcessorPayment,
    { firstStartedAt, signal }: { firstStartedAt: Date; signal: AbortSignal },
  ): Promise<PaymentState> {
    const request = creationOf(payment, config);
    const mollie = connect(signal);
    const sinceMs = earliestStartMs(payment, firstStartedAt);
    if (clock.now() - sinceMs > KEY_TRUSTED_MS) {
      const existing = await findPayment(mollie, payment, sinceMs);
      if (existing) return stateOf(existing, payment);
    }
    try {
      return stateOf(await createOnce(mollie, request), payment);
    } catch (error) {
      if (!isRejected(error)) throw error;
      // Mollie also rejects a key that came with another request, and that request may have moved money.
      const existing = await findPayment(mollie, payment, sinceMs);
      if (existing) return stateOf(existing, payment);
      throw rejectionOf(error, payment) ?? error;
    }
  }

  async function status(
    { payment, reference, firstStartedAt }: StartedPayment,
    { signal }: { signal: AbortSignal },
  ): Promise<PaymentState> {
    if (reference === null) return start(payment, { firstStartedAt, signal });
    return stateOf(await connect(signal).payments.get(reference), payment);
  }

  async function cancel(
    { payment, reference, firstStartedAt }: StartedPayment,
    { signal }: { signal: AbortSignal },
  ): Promise<PaymentState> {
    const mollie = connect(signal);
    const current =
      reference === null
        ? ((await findPayment(mollie, payment, earliestStartMs(payment, firstStartedAt))) ??
          (await preventCharge(mollie, payment, config)))
        : await mollie.payments.get(reference);
    if (current === null) return { status: 'canceled', reference: null };
    const state = stateOf(current, payment);
    if (!current.isCancelable) return state;
    try {
      return stateOf(await mollie.payments.cancel(current.id), payment);
    } catch (error) {
      if (!isRejected(error)) throw error;
      // Too late: the payer was faster.
      return stateOf(await mollie.payments.get(current.id), payment);
    }
  }

  return defineAdapter({
    name: 'mollie',
    environment: config.environment,
    start,
    status,
    cancel,
    verifyCallback: (request) => verifyWebhook(request, config.webhookSecrets),
    readCallback(content) {
      const reference = paymentIdOf(content as string);
      return reference === null ? null : { reference };
    },
  });
}

/** An adapter that has lost its data takes a repeated start for the first one. The payment was not started before it existed. */
function earliestStartMs(payment: ProcessorPayment, firstStartedAt: Date): number {
  return Math.min(firstStartedAt.getTime(), Date.parse(payment.created_at));
}

/**
 * The request that creates the payment at Mollie. It depends on the payment and the configuration only: with the same
 * idempotency key, Mollie rejects a request that differs.
 *
 * @throws PaymentRejected
 */
function creationOf(payment: ProcessorPayment, config: MollieConfig): PaymentCreateParams {
  const amount = toMollieAmount(payment.amount, payment.currency);
  if (amount === null) throw new PaymentRejected(failure('amount_not_accepted'));
  const common = {
    amount,
    description: descriptionOf(payment),
    // Not the caller's metadata: Mollie allows about 1 kB, and what Tollgate erases would remain at Mollie.
    metadata: { payment_id: payment.id },
    webhookUrl: config.webhookUrl,
    idempotencyKey: payment.id,
  };
  if (payment.payment_method === null) {
    if (payment.return_url === null) throw new PaymentRejected(failure('return_url_required'));
    return { ...common, redirectUrl: payment.return_url, cancelUrl: payment.return_url };
  }
  const mandate = readMandate(payment.payment_method);
  if (mandate === null) throw new PaymentRejected(failure('payment_method_not_accepted'));
  return { ...common, ...mandate, sequenceType: SequenceType.recurring };
}

function descriptionOf({ id, purpose, reference }: ProcessorPayment): string {
  return (purpose || reference || id).slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed();
}

/** A replayed response is as old as the first request. */
async function createOnce(mollie: MollieConnection, request: PaymentCreateParams): Promise<Payment> {
  const created = await mollie.payments.create(request);
  return mollie.wasReplayed() ? await mollie.payments.get(created.id) : created;
}

/**
 * Makes sure that a start whose outcome is unknown can charge nothing any more. Returns the payment of Mollie if it exists
 * after all.
 *
 * The request for the charge can still be on its way to Mollie. Therefore another payment uses up its idempotency key: one that
 * waits for a payer who never gets its address. Mollie rejects the late request, because it differs. A payment without a
 * payment method waits for a payer itself.
 */
async function preventCharge(
  mollie: MollieConnection,
  payment: ProcessorPayment,
  config: MollieConfig,
): Promise<Payment | null> {
  const amount = toMollieAmount(payment.amount, payment.currency);
  const canCharge = readMandate(payment.payment_method ?? '') !== null;
  if (amount === null || !canCharge) return null;
  const stored = await mollie.payments.create({
    amount,
    description: `Canceled before it started: ${payment.id}`,
    redirectUrl: payment.return_url ?? new URL(config.webhookUrl).origin,
    metadata: { canceled_payment_id: payment.id },
    idempotencyKey: payment.id,
  });
  return isFor(stored, payment) ? await mollie.payments.get(stored.id) : null;
}

/**
 * What the caller can change. Null for the rest, which may work later: 400 and 409, because they can be about an earlier
 * request with the same key, and the webhook address, because the operator sets it.
 */
function rejectionOf(
  { statusCode, field, message }: MollieApiError,
  payment: ProcessorPayment,
): PaymentRejected | null {
  if (statusCode === 422 && field !== 'webhookUrl')
    return new PaymentRejected(failureOfField(field, message));
  // The customer or the mandate: nothing else in the request can be missing at Mollie.
  const isGone = statusCode === 404 || statusCode === 410;
  const isToken = isGone && payment.payment_method !== null;
  return isToken ? new PaymentRejected(failureOfField('customerId', message)) : null;
}

/** Statuses with which Mollie says that it did not carry out the request. */
const NOT_CARRIED_OUT = [400, 404, 409, 410, 422];

function isRejected(error: unknown): error is MollieApiError {
  return error instanceof MollieApiError && NOT_CARRIED_OUT.includes(error.statusCode ?? 0);
}
