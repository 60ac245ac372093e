import { check, isObject } from './arguments.ts';
import { InvalidArgumentError } from './errors.ts';
import type { CancelPaymentParams, CreatePaymentParams, Payment } from './payment.ts';
import type { CreateOptions, RequestOptions, WriteOptions } from './request-options.ts';
import type { WithResponse } from './response.ts';
import type { Call } from './send.ts';

/** Anything else could change the path of the request. */
const PAYMENT_ID = /^\w+$/;

/** The payments of the application to which the API key belongs. */
export class Payments {
  readonly #send: (call: Call) => Promise<unknown>;

  /** @internal */
  constructor(send: (call: Call) => Promise<unknown>) {
    this.#send = send;
  }

  /** Creates a payment. Returns it with the first reply of its processor, if that comes in time. */
  async create(params: CreatePaymentParams, options: CreateOptions = {}): Promise<WithResponse<Payment>> {
    return (await this.#send({
      path: '/v1/payments',
      body: jsonOf(params),
      options,
      isExpected: isPayment,
    })) as WithResponse<Payment>;
  }

  /** Retrieves a payment. */
  async retrieve(id: string, options: RequestOptions = {}): Promise<WithResponse<Payment>> {
    return (await this.#send({
      path: pathOf(id),
      body: null,
      options,
      isExpected: isPaymentWith(id),
    })) as WithResponse<Payment>;
  }

  /** Cancels a payment that is still pending. A payment that is already canceled is returned unchanged. */
  async cancel(
    id: string,
    params: CancelPaymentParams = {},
    options: WriteOptions = {},
  ): Promise<WithResponse<Payment>> {
    return (await this.#send({
      path: `${pathOf(id)}/cancel`,
      body: jsonOf(params),
      options,
      isExpected: isPaymentWith(id),
    })) as WithResponse<Payment>;
  }
}

function pathOf(id: string): string {
  check(
    typeof id === 'string' && PAYMENT_ID.test(id),
    'invalid-payment-id',
    'The payment id must be the `id` of a payment, such as pay_….',
  );
  return `/v1/payments/${id}`;
}

function jsonOf(params: object): string {
  check(isObject(params), 'invalid-params', 'The params must be an object.');
  try {
    return JSON.stringify(params, requireFinite);
  } catch (error) {
    throw new InvalidArgumentError(`The params must be JSON: ${(error as Error).message}`, {
      code: 'invalid-params',
    });
  }
}

/** JSON writes any other number as null, which many fields accept. */
function requireFinite(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${name} is ${value}.`);
  return value;
}

function isPayment(body: unknown): boolean {
  const { object, id } = (body ?? {}) as Partial<Payment>;
  return object === 'payment' && typeof id === 'string';
}

/** A proxy that confuses responses must not pass off one payment as another. */
function isPaymentWith(id: string): (body: unknown) => boolean {
  return (body) => isPayment(body) && (body as Payment).id === id;
}
