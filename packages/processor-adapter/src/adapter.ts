import type { IncomingHttpHeaders } from 'node:http';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { PaymentState, ProcessorFailure, ProcessorPayment } from './contract/payment-state.ts';

/**
 * What differs between processors. Everything else (signatures, idempotency, storage, callbacks, health) is the package's.
 *
 * Each function may throw: the adapter then responds with 502, the error is logged, and Tollgate asks again. It must not
 * return a state that it does not know, or the state of another payment.
 */
export interface Adapter {
  /** Name of the processor in Tollgate, as in `POST /v1/processor-events/{processor}`. */
  name: string;
  /** Payments of another environment are rejected with 400, so that a test key never takes a live payment. */
  environment: Environment;
  /**
   * Starts the payment at the processor. Called again with the same payment if the outcome of an earlier call is unknown: send
   * `payment.id` as the processor's idempotency key. If the processor forgets keys, and `firstStartedAt` is older than that, look
   * for an existing payment first.
   *
   * @throws PaymentRejected when the processor does not accept the payment
   */
  start(
    payment: ProcessorPayment,
    attempt: { firstStartedAt: Date; signal: AbortSignal },
  ): Promise<PaymentState>;
  /**
   * Asks the processor for the current state, with refunds and disputes. Called after a start that returned or that has an
   * unknown outcome, and again, with a reference, about a payment that has ended: `payment` is then without purpose, reference,
   * payer, payee, metadata, and return URL.
   */
  status(started: StartedPayment, call: { signal: AbortSignal }): Promise<PaymentState>;
  /**
   * Makes sure that no money can move any more, and returns `canceled`; or returns the actual state when it is too late.
   */
  cancel(started: StartedPayment, call: { signal: AbortSignal }): Promise<PaymentState>;
  /**
   * Verifies a webhook of the processor with the processor's own library and returns its content.
   *
   * @throws InvalidWebhook when it is not the processor's
   */
  verifyCallback(request: WebhookRequest): unknown | Promise<unknown>;
  /**
   * Names the payment that a verified webhook is about; null for a webhook about something else. The package then asks
   * `status` and reports a change to Tollgate, so that the order of webhooks does not matter.
   */
  readCallback(
    content: unknown,
    call: { signal: AbortSignal },
  ): CallbackSubject | null | Promise<CallbackSubject | null>;
}

/** A payment that `start` was called for. */
export interface StartedPayment {
  payment: ProcessorPayment;
  /** As `start` returned it; null when the outcome of `start` is unknown. */
  reference: string | null;
  firstStartedAt: Date;
}

/** The payment that a webhook is about. */
export type CallbackSubject = { paymentId: string } | { reference: string };

/** A webhook of the processor as it was received. */
export interface WebhookRequest {
  headers: IncomingHttpHeaders;
  /** Path and query. */
  url: string;
  body: Buffer;
}

/**
 * The processor does not accept the payment: the adapter responds to the start with 422, and Tollgate ends the payment as failed.
 * `status` and `cancel` may throw it too, when they find out that an earlier start was not accepted. If a start is repeated, the
 * earlier one must be excluded first: a processor can reject a repeat because the first one succeeded.
 */
export class PaymentRejected extends Error {
  readonly failure: ProcessorFailure;

  constructor(failure: ProcessorFailure) {
    super(`${failure.code}: ${failure.message}`);
    this.name = 'PaymentRejected';
    this.failure = failure;
  }
}

/** The webhook was not sent by the processor. It gets 401. */
export class InvalidWebhook extends Error {}

/** Checks the adapter's type, and returns it unchanged. */
export function defineAdapter(adapter: Adapter): Adapter {
  return adapter;
}
